import type { Address } from '@solana/kit'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BASE = 58
const SIZE = 32
/** 32 bytes take 32 characters where all are zero and 44 at most. */
const TEXT_MIN = 32
const TEXT_MAX = 44
/** Limbs of 24 bits: a limb times 58 and a carry stay far below 2^31. */
const LIMB_BITS = 24
const LIMB_MASK = 0xff_ffff
const LIMBS = 11

const VALUES = new Int8Array(128).fill(-1)
for (const [value, character] of [...ALPHABET].entries()) VALUES[character.charCodeAt(0)] = value

/** The number that a text stands for, least limb first; undefined where it is none within 264 bits. */
function limbsOf(text: string): Int32Array | undefined {
  const limbs = new Int32Array(LIMBS)
  for (let at = 0; at < text.length; at += 1) {
    let carry = VALUES[text.charCodeAt(at)] ?? -1
    if (carry < 0) return undefined
    for (let index = 0; index < LIMBS; index += 1) {
      const product = (limbs[index] ?? 0) * BASE + carry
      limbs[index] = product & LIMB_MASK
      carry = product >>> LIMB_BITS
    }
    if (carry !== 0) return undefined
  }
  return limbs
}

/**
 * The 32 bytes of an address in base58; undefined for any other text. Each address has one text: as
 * many 1s in front as zero bytes. An order reads some twenty addresses, and reading one with the
 * client library's integers takes as long as a signature.
 */
export function decodeAddress(text: string): Uint8Array | undefined {
  if (text.length < TEXT_MIN || text.length > TEXT_MAX) return undefined
  const limbs = limbsOf(text)
  if (limbs === undefined || (limbs[LIMBS - 1] ?? 0) >>> (SIZE * 8 - LIMB_BITS * (LIMBS - 1)) > 0) {
    return undefined
  }
  const bytes = new Uint8Array(SIZE)
  for (let index = 0; index < SIZE; index += 1) {
    const limb = limbs[Math.floor(index / 3)] ?? 0
    bytes[SIZE - 1 - index] = limb >>> (8 * (index % 3))
  }
  let zeros = 0
  while (zeros < SIZE && bytes[zeros] === 0) zeros += 1
  let ones = 0
  while (text[ones] === ALPHABET[0]) ones += 1
  return zeros === ones ? bytes : undefined
}

/** The address with these 32 bytes. @throws RangeError for any other number of bytes. */
export function encodeAddress(bytes: Uint8Array): Address {
  if (bytes.length !== SIZE) throw new RangeError('an address has 32 bytes')
  let zeros = 0
  while (zeros < SIZE && bytes[zeros] === 0) zeros += 1
  const digits = new Uint8Array(TEXT_MAX)
  let used = 0
  for (let at = zeros; at < SIZE; at += 1) {
    let carry = bytes[at] ?? 0
    for (let index = 0; index < used || carry > 0; index += 1) {
      const sum = (digits[index] ?? 0) * 256 + carry
      digits[index] = sum % BASE
      carry = Math.floor(sum / BASE)
      used = Math.max(used, index + 1)
    }
  }
  let text = ALPHABET.charAt(0).repeat(zeros)
  for (let index = used - 1; index >= 0; index -= 1) text += ALPHABET.charAt(digits[index] ?? 0)
  return text as Address
}

/** True for exactly the texts that `encodeAddress` writes. */
export const isAddress = (text: string): text is Address => decodeAddress(text) !== undefined
