import { programKeyMistake, type ReleasedKey } from '../config/mainnet-rules.ts'
import { PREFIX } from '../config/mistake.ts'
import type { Config } from '../config.ts'

/** A prover's description of its key. */
export interface ProverKey {
  readonly vkeyHash: string
  readonly isDevelopment: boolean
}

/**
 * Returns the reason why this proving key must not be used with real funds, or undefined if the key may be used.
 *
 * The prover's label proves nothing, because it is only a line in a file. The deployed program verifies proofs with a
 * key that is part of the program, so the program's hash determines that key. Either the program is the release's
 * program, or the operator has verified and configured the hashes of another program and its key. The prover's key must
 * be the program's key.
 */
export function provingKeyFault(
  release: ReleasedKey,
  prover: ProverKey,
  given: Partial<Pick<Config, 'PROGRAM_SHA256' | 'VKEY_SHA256'>>,
): string | undefined {
  const mistake = programKeyMistake(release, given)
  if (mistake !== undefined) return `${PREFIX}${mistake.name} ${mistake.problem}; ${mistake.fix}`
  if (prover.isDevelopment) {
    return "the prover's key is for development, so anybody could forge proofs with it; use a release whose key comes from a ceremony"
  }
  const expected = given.VKEY_SHA256 ?? release.vkeySha256
  if (prover.vkeyHash !== expected) {
    return `the prover's key has the hash ${prover.vkeyHash}, but the program's key has the hash ${expected}; give the prover the artefacts with which the program was built`
  }
  return undefined
}
