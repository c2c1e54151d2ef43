import type { Address } from '@solana/kit'
import { emptyLater } from './forget-later.ts'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BASE = 58
const SIZE = 32
/** Bounds of the length of an address's text: 32 zero bytes take 32 characters, and no address takes more than 44. */
const TEXT_MIN = 32
const TEXT_MAX = 44
/**
 * Number of characters that are read in one step. A 24-bit limb times 58^4, plus a carry, is still exact in a double.
 * With more characters, digits would be lost.
 */
const GROUP = 4
const LIMB = 2 ** 24
const LIMBS = 11
/**
 * Number of base58 digits in one limb. With five digits, a limb times 2^16, plus a 16-bit word, is exact in a double.
 */
const DIGITS = 5
const FIVE = BASE ** DIGITS
/** Number of bits in a limb of five digits, rounded down. */
const FIVE_BITS = 29

const VALUES = new Int8Array(128).fill(-1)
for (const [value, character] of [...ALPHABET].entries()) VALUES[character.charCodeAt(0)] = value

/**
 * The number that a base58 text represents, in `count` limbs, least significant first. Undefined if the text isn't
 * base58 or if the number needs more limbs.
 */
function limbsOf(text: string, count: number): Float64Array | undefined {
  const limbs = new Float64Array(count)
  // All limbs at and after this index are zero.
  let used = 0
  for (let at = 0; at < text.length;) {
    let carry = 0
    let scale = 1
    for (const end = Math.min(at + GROUP, text.length); at < end; at += 1) {
      const value = VALUES[text.charCodeAt(at)] ?? -1
      if (value < 0) return undefined
      carry = carry * BASE + value
      scale *= BASE
    }
    for (let index = 0; index < used || carry > 0; index += 1) {
      if (index === count) return undefined
      const product = (limbs[index] ?? 0) * scale + carry
      carry = Math.floor(product / LIMB)
      limbs[index] = product - carry * LIMB
      used = Math.max(used, index + 1)
    }
  }
  return limbs
}

/** The bytes of recently read addresses. Most addresses in an order belong to the pool, to programs or to mints. */
const recent = new Map<string, Uint8Array>()
/** Limits the memory to a few hundred kilobytes. */
const RECENT_MAX = 1_000
const forgetRecent = emptyLater(recent)

/** The bytes of an address. The caller must not change them, because later calls return the same array. */
function keptBytes(text: string): Uint8Array | undefined {
  const known = recent.get(text)
  if (known !== undefined) return known
  const bytes = readAddress(text)
  if (bytes === undefined) return undefined
  if (recent.size >= RECENT_MAX) recent.clear()
  recent.set(text, bytes)
  forgetRecent()
  return bytes
}

/**
 * The 32 bytes of an address in base58; undefined for any other text. The caller gets a copy and may change it.
 * Creating an order reads about twenty addresses. With the client library, which uses bigints, reading one address
 * takes as long as making a signature.
 */
export const decodeAddress = (text: string): Uint8Array | undefined => keptBytes(text)?.slice()

/** Each address has only one text, which begins with a 1 for each leading zero byte. */
function readAddress(text: string): Uint8Array | undefined {
  if (text.length < TEXT_MIN || text.length > TEXT_MAX) return undefined
  const limbs = limbsOf(text, LIMBS)
  // 32 bytes are ten limbs of three bytes, and one limb of two bytes.
  if (limbs === undefined || (limbs[LIMBS - 1] ?? 0) >= 2 ** 16) return undefined
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

/** The number in these bytes, written in base 58^5, least significant limb first. */
function fivesOf(bytes: Uint8Array): Float64Array {
  const fives = new Float64Array(Math.ceil((8 * bytes.length) / FIVE_BITS))
  // All limbs at and after this index are zero.
  let used = 0
  // If the number of bytes is odd, the first word has only one byte.
  for (let at = bytes.length % 2 === 0 ? 0 : -1; at < bytes.length; at += 2) {
    let carry = ((at < 0 ? 0 : (bytes[at] ?? 0)) << 8) | (bytes[at + 1] ?? 0)
    for (let index = 0; index < used || carry > 0; index += 1) {
      const sum = (fives[index] ?? 0) * 2 ** 16 + carry
      carry = Math.floor(sum / FIVE)
      fives[index] = sum - carry * FIVE
      used = Math.max(used, index + 1)
    }
  }
  return fives
}

/** The base58 text of any bytes. The client library, which uses bigints, takes many times as long. */
export function encodeBase58(bytes: Uint8Array): string {
  const fives = fivesOf(bytes)
  const codes = new Uint8Array(fives.length * DIGITS)
  let at = codes.length
  for (const five of fives) {
    // `| 0` makes `rest` an integer, because computing the remainder of a double takes ten times as long.
    let rest = five | 0
    for (let digit = 0; digit < DIGITS; digit += 1) {
      at -= 1
      codes[at] = ALPHABET.charCodeAt(rest % BASE)
      rest = (rest / BASE) | 0
    }
  }
  const one = ALPHABET.charCodeAt(0)
  let first = 0
  while (first < codes.length && codes[first] === one) first += 1
  // The text has exactly one leading 1 for each leading zero byte.
  for (let zero = 0; zero < bytes.length && bytes[zero] === 0; zero += 1) first -= 1
  return String.fromCharCode(...codes.subarray(first))
}

/** Writes 32 bytes as an address. @throws RangeError for any other number of bytes. */
export function encodeAddress(bytes: Uint8Array): Address {
  if (bytes.length !== SIZE) throw new RangeError('an address has 32 bytes')
  return encodeBase58(bytes) as Address
}

/** True if `encodeAddress` can write this text. */
export const isAddress = (text: string): text is Address => keptBytes(text) !== undefined

/** The bytes of any base58 text; undefined if a character isn't a base58 digit. */
export function decodeBase58(text: string): Uint8Array | undefined {
  // A base58 character represents less than 6 bits.
  const limbs = limbsOf(text, Math.ceil((text.length * 6) / 24))
  if (limbs === undefined) return undefined
  let ones = 0
  while (text[ones] === ALPHABET[0]) ones += 1
  const bytes: number[] = []
  for (let index = 0; index < 3 * limbs.length; index += 1) {
    bytes.push(((limbs[Math.floor(index / 3)] ?? 0) >>> (8 * (index % 3))) & 0xff)
  }
  while (bytes.at(-1) === 0) bytes.pop()
  return new Uint8Array([...Array<number>(ones).fill(0), ...bytes.reverse()])
}
