import { programKeyMistake, type ReleasedKey } from '../config/mainnet-rules.ts'
import { PREFIX } from '../config/mistake.ts'
import type { Config } from '../config.ts'

/** A prover's description of its key. */
export interface ProverKey {
  readonly vkeyHash: string
  readonly isDevelopment: boolean
}

/**
 * Why this proving key must not be used with real funds, or undefined.
 *
 * The prover's label proves nothing, because it is only a line of a file. What counts is the key with which the
 * deployed program verifies. The program's hash determines it: it is the release's key, or one that the operator
 * verified together with the hash of another program.
 */
export function provingKeyFault(
  release: ReleasedKey,
  prover: ProverKey,
  given: Partial<Pick<Config, 'PROGRAM_SHA256' | 'VKEY_SHA256'>>,
): string | undefined {
  const mistake = programKeyMistake(release, given)
  if (mistake !== undefined) return `${PREFIX}${mistake.name} ${mistake.problem}; ${mistake.fix}`
  if (prover.isDevelopment) {
    return "the prover's key is one for development, with which anybody could forge; mainnet needs a key from a ceremony"
  }
  const expected = given.VKEY_SHA256 ?? release.vkeySha256
  if (prover.vkeyHash !== expected) {
    return `the prover's key ${prover.vkeyHash} is not the program's, ${expected}; give the prover the artefacts that the program was built with`
  }
  return undefined
}
