import type { Config } from '../config.ts'

/** What a release says of the key that its program verifies proofs by. */
export interface ReleasedKey {
  /** SHA-256 of the verifying key, in hexadecimal. */
  readonly vkeySha256: string
  readonly isDevelopment: boolean
}

/** What a prover says of the key that it works with. */
export interface ProverKey {
  readonly vkeyHash: string
  readonly isDevelopment: boolean
}

/**
 * Why this proving key must not guard real funds, or undefined.
 *
 * The prover's word alone is worth nothing: its label is a line of a file. What counts is the key that the
 * deployed program verifies by, which its hash stands for: the release's, or one that the operator
 * verified together with the hash of another program.
 */
export function provingKeyFault(
  release: ReleasedKey,
  prover: ProverKey,
  given: Pick<Config, 'PROGRAM_SHA256' | 'VKEY_SHA256'>,
): string | undefined {
  if ((given.PROGRAM_SHA256 === undefined) !== (given.VKEY_SHA256 === undefined)) {
    return 'SOTTO_PROGRAM_SHA256 and SOTTO_VKEY_SHA256 are given together or not at all on mainnet: another program verifies by a key of its own'
  }
  const expected = given.VKEY_SHA256 ?? release.vkeySha256
  const isDevelopment = expected === release.vkeySha256 && release.isDevelopment
  if (isDevelopment || prover.isDevelopment) {
    return 'the proving key is one for development, with which anybody could forge; mainnet needs a key from a ceremony'
  }
  if (prover.vkeyHash !== expected) {
    return `the prover's key ${prover.vkeyHash} is not the program's, ${expected}; give the prover the artefacts that the program was built with`
  }
  return undefined
}
