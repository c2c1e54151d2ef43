import type { Address } from '@solana/kit'
import { decodeAddress, encodeAddress } from './base58.ts'

/** The scalar field of BN254. Every hash and every public input is an element of this field. */
export const FIELD_MODULUS =
  21_888_242_871_839_275_222_246_405_745_257_275_088_548_364_400_416_034_343_698_204_186_575_808_495_617n

/** An address in the circuit's form: two big-endian integers below 2^128. */
export interface AddressHalves {
  readonly hi: bigint
  readonly lo: bigint
}

const WORD_BYTES = 8
const WORD_BITS = 64

/** Reads big-endian bytes as an integer. */
export function bigintFromBytes(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const odd = bytes.length % WORD_BYTES
  let value = 0n
  for (let at = 0; at < odd; at += 1) value = (value << 8n) | BigInt(view.getUint8(at))
  for (let at = odd; at < bytes.length; at += WORD_BYTES) {
    value = (value << BigInt(WORD_BITS)) | view.getBigUint64(at)
  }
  return value
}

/** Writes a field element as 32 big-endian bytes. @throws RangeError outside the field. */
export function fieldToBytes(value: bigint): Uint8Array {
  if (value < 0n || value >= FIELD_MODULUS) throw new RangeError('not an element of the field')
  const bytes = new Uint8Array(32)
  const view = new DataView(bytes.buffer)
  for (let word = 0; word < 4; word += 1) {
    // `setBigUint64` keeps only the lowest 64 bits of its input.
    view.setBigUint64(WORD_BYTES * word, value >> BigInt(WORD_BITS * (3 - word)))
  }
  return bytes
}

/** Reads 32 big-endian bytes. @throws RangeError if they aren't an element of the field. */
export function fieldFromBytes(bytes: Uint8Array): bigint {
  const value = bigintFromBytes(bytes)
  if (bytes.length !== 32 || value >= FIELD_MODULUS) {
    throw new RangeError('not an element of the field')
  }
  return value
}

/** The 32 bytes of an address. @throws RangeError if the text isn't an address. */
export function addressBytes(address: Address): Uint8Array {
  const bytes = decodeAddress(address)
  if (bytes === undefined) throw new RangeError('not an address')
  return bytes
}

/** The address of these 32 bytes. */
export function addressFromBytes(bytes: Uint8Array): Address {
  return encodeAddress(bytes)
}

/** Splits an address, because its 32 bytes don't fit into one field element. */
export function addressHalves(address: Address): AddressHalves {
  const bytes = addressBytes(address)
  return { hi: bigintFromBytes(bytes.subarray(0, 16)), lo: bigintFromBytes(bytes.subarray(16)) }
}
