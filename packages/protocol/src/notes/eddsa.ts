import { edwards } from '@noble/curves/abstract/edwards'
import { blake512 } from '@noble/hashes/blake1'
import { bigintFromBytes, fieldToBytes, FIELD_MODULUS } from '../field.ts'
import type { Poseidon } from './note.ts'
import type { Point } from './owner.ts'
import type { OwnerSignature } from './settle-witness.ts'

/** The order of the subgroup that the base point generates. */
const SUBGROUP_ORDER =
  2_736_030_358_979_909_402_780_800_718_157_159_386_076_813_972_158_567_259_200_215_660_948_447_373_041n

const KEY_BYTES = 32
const TOP_BIT = 1n << 254n
const SCALAR_MASK = (1n << 255n) - 8n

/** circomlib's BabyJubJub. */
const makeCurve = () =>
  edwards({
    p: FIELD_MODULUS,
    n: SUBGROUP_ORDER,
    h: 8n,
    a: 168_700n,
    d: 168_696n,
    Gx: 5_299_619_240_641_551_281_634_865_583_518_297_030_282_874_472_190_772_894_086_521_144_482_721_001_553n,
    Gy: 16_950_150_798_460_657_717_958_625_567_821_834_550_301_663_161_624_707_787_222_815_936_182_638_968_203n,
  })

let made: ReturnType<typeof makeCurve> | undefined
/** The curve. It is created at the first use, so that a bundle without signatures needs no curve. */
const curve = () => (made ??= makeCurve())

const littleEndian = (bytes: Uint8Array): bigint => bigintFromBytes(bytes.slice().reverse())

interface SecretHalves {
  /** The private scalar, a multiple of 8. */
  readonly scalar: bigint
  readonly nonceSeed: Uint8Array
}

/** Derives the scalar and the seed of nonces (Ed25519's "prefix") as Ed25519 does, but with BLAKE-512 as the hash. */
function halvesOf(key: Uint8Array): SecretHalves {
  if (key.length !== KEY_BYTES) throw new RangeError('a private key has 32 bytes')
  const hash = blake512(key)
  const number = littleEndian(hash.subarray(0, KEY_BYTES))
  // The three lowest bits and the highest bit are cleared, and the second highest bit is set.
  const scalar = (number & SCALAR_MASK) | TOP_BIT
  return { scalar, nonceSeed: hash.subarray(KEY_BYTES) }
}

function multiplied(factor: bigint): Point {
  const { x, y } = curve().BASE.multiply(factor % SUBGROUP_ORDER)
  return { x, y }
}

/** The public key for a 32-byte private key. */
export function eddsaPublicKey(key: Uint8Array): Point {
  return multiplied(halvesOf(key).scalar >> 3n)
}

/**
 * Signs an element of the field for circomlib's `EdDSAPoseidonVerifier`. The same key and message always give the same
 * signature. The multiplications take constant time as far as bigints make this possible.
 */
export function eddsaSign(poseidon: Poseidon, key: Uint8Array, message: bigint): OwnerSignature {
  const { scalar, nonceSeed } = halvesOf(key)
  const seed = new Uint8Array([...nonceSeed, ...fieldToBytes(message).reverse()])
  const nonce = littleEndian(blake512(seed)) % SUBGROUP_ORDER
  const R8 = multiplied(nonce)
  const owner = multiplied(scalar >> 3n)
  const challenge = poseidon([R8.x, R8.y, owner.x, owner.y, message])
  return { S: (nonce + challenge * scalar) % SUBGROUP_ORDER, R8 }
}

const isElement = (value: bigint) => value >= 0n && value < FIELD_MODULUS

/**
 * True if the settle circuit can prove a payment with this signature. `owner` must have passed `assertOwner`. The
 * signature may consist of any numbers, because this function checks them.
 */
export function eddsaVerify(
  poseidon: Poseidon,
  owner: Point,
  message: bigint,
  { S, R8 }: OwnerSignature,
): boolean {
  if (S < 0n || S >= SUBGROUP_ORDER || ![R8.x, R8.y, owner.x, owner.y].every(isElement))
    return false
  const { BASE, ZERO, fromAffine } = curve()
  const [nonce, key] = [fromAffine({ ...R8 }), fromAffine({ ...owner })]
  try {
    if (!nonce.equals(ZERO)) nonce.assertValidity()
    key.assertValidity()
  } catch {
    return false
  }
  const challenge = poseidon([R8.x, R8.y, owner.x, owner.y, message])
  // The circuit first multiplies the key by 8, which removes any component of small order.
  const multiple = key.clearCofactor().multiplyUnsafe(challenge % SUBGROUP_ORDER)
  return BASE.multiplyUnsafe(S).equals(nonce.add(multiple))
}
