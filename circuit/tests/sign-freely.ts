import { poseidon5 } from 'poseidon-lite/poseidon5'
import type { Point, Signature } from '../settle-input.ts'
import { BASE8, SUBGROUP_ORDER, add, multiply } from './baby-jubjub.ts'

/** Deviations from EdDSA that a real signer doesn't make. */
interface Freedom {
  /** The owner in the challenge. The signing key is always the same. */
  owner: Point
  /** A point that is added to R8. */
  shift: Point
  /** 1, or -1 to negate S. */
  sign: bigint
}

const SECRET = 0x1234567890abcdef1234567890abcdef1234567890abcdefn
const NONCE = 0x0fedcba987654321n

/** The public key that `signFreely` signs for. */
export const FREE_OWNER = multiply(SECRET, BASE8)

/**
 * Makes an EdDSA signature by the equation S·B = R8 + 8·h·A. The usual library can't make signatures that break a
 * single rule.
 */
export const signFreely =
  ({ owner = FREE_OWNER, shift = [0n, 1n], sign = 1n }: Partial<Freedom> = {}) =>
  (message: bigint): Signature => {
    const R8 = add(multiply(NONCE, BASE8), shift)
    const challenge = poseidon5([...R8, ...owner, message])
    const S = sign * (NONCE + challenge * 8n * SECRET)
    return { S: ((S % SUBGROUP_ORDER) + SUBGROUP_ORDER) % SUBGROUP_ORDER, R8 }
  }
