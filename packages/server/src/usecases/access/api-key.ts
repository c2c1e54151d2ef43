import { crc32 } from 'node:zlib'
import type { Random } from '../../ports/random.ts'

/** The form is `sotto_<live|test>_<key id>_<secret><crc>`. Secret scanners recognise this form and find leaked keys. */
export interface ApiKey {
  readonly mode: 'live' | 'test'
  readonly keyId: string
  /** The secret part, which is hashed and compared. */
  readonly secret: string
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY_ID_SIZE = 12
/** 62^43 exceeds 2^256, so 43 base62 digits can hold a 32-byte secret. */
const SECRET_SIZE = 43
/** 62^6 exceeds 2^32, so 6 base62 digits can hold a CRC-32. */
const CRC_SIZE = 6
const PATTERN = new RegExp(
  `^sotto_(live|test)_([0-9A-Za-z]{${KEY_ID_SIZE}})_([0-9A-Za-z]{${SECRET_SIZE}})([0-9A-Za-z]{${CRC_SIZE}})$`,
)

function draw(random: Random, size: number): string {
  return Array.from({ length: size }, () => ALPHABET[random.below(ALPHABET.length)]).join('')
}

/**
 * The checksum of `text`, which is everything in a key before the checksum. A mistyped key fails the checksum, so it is
 * refused without a database read.
 */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let index = 0; index < CRC_SIZE; index += 1) {
    digits = `${ALPHABET[rest % 62]}${digits}`
    rest = Math.floor(rest / 62)
  }
  return digits
}

const bodyOf = ({ mode, keyId, secret }: ApiKey): string => `sotto_${mode}_${keyId}_${secret}`

/** Draws a new key. */
export function drawApiKey(mode: ApiKey['mode'], random: Random): ApiKey {
  return { mode, keyId: draw(random, KEY_ID_SIZE), secret: draw(random, SECRET_SIZE) }
}

/** The complete text of a key. The partner sees this text only once. */
export function formatApiKey(key: ApiKey): string {
  return bodyOf(key) + checksum(bodyOf(key))
}

const KEY_ID_START = 'sotto_test_'.length

/**
 * The characters of `text` at the positions where a key has its id. The function doesn't check that `text` is a key.
 */
export const keyIdOf = (text: string): string =>
  text.slice(KEY_ID_START, KEY_ID_START + KEY_ID_SIZE)

/** Parses a key. Returns undefined if the form or the checksum is wrong. */
export function parseApiKey(text: string): ApiKey | undefined {
  const [, mode, keyId, secret, crc] = PATTERN.exec(text) ?? []
  if (mode === undefined || keyId === undefined || secret === undefined) return undefined
  const key: ApiKey = { mode: mode === 'live' ? 'live' : 'test', keyId, secret }
  return checksum(bodyOf(key)) === crc ? key : undefined
}
