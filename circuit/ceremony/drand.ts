import { createHash } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381'

/**
 * The League of Entropy's chain "quicknet". It publishes a value every three seconds. No minority of its members can
 * predict or choose the value. The key, genesis time and period below are published at https://api.drand.sh under this
 * chain's hash. The scheme is `bls-unchained-g1-rfc9380`.
 */
export const QUICKNET = {
  chainHash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c' +
    '8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb' +
    '5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesisSeconds: 1_692_803_367,
  periodSeconds: 3,
} as const

const DOMAIN = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'

/** A published round: its number and the League's signature of the round, in hexadecimal. */
export interface DrandRound {
  kind: 'drand'
  round: number
  signature: string
}

/** The Unix second in which a round is published. */
export function timeOfRound(round: number): number {
  return QUICKNET.genesisSeconds + (round - 1) * QUICKNET.periodSeconds
}

/** The number of the first round that is published at or after `seconds` (Unix). */
export function firstRoundFrom(seconds: number): number {
  return Math.max(1, Math.ceil((seconds - QUICKNET.genesisSeconds) / QUICKNET.periodSeconds) + 1)
}

/**
 * The randomness of a round in hexadecimal. It is the SHA-256 of the round's signature, so only the League can make it.
 *
 * @throws Error if the League didn't sign exactly this round.
 */
export function randomnessOf({ round, signature }: DrandRound): string {
  if (!isSignedByTheLeague(round, signature)) {
    throw new Error(`This is not the signature of drand's quicknet round ${round}.`)
  }
  return createHash('sha256').update(Buffer.from(signature, 'hex')).digest('hex')
}

function isSignedByTheLeague(round: number, signature: string): boolean {
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(BigInt(round))
  const message = createHash('sha256').update(number).digest()
  const { hash, verify } = bls12_381.shortSignatures
  try {
    return verify(signature, hash(message, DOMAIN), QUICKNET.publicKey)
  } catch {
    // Bytes that aren't a point of the curve can't be a signature.
    return false
  }
}
