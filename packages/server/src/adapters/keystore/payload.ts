import { addressBytes, addressFromBytes, amount, unixSeconds } from '@sotto/protocol'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { PayloadTerms } from '../../ports/secrets.ts'

const BYTES = 45
const TRANSFER = 1
const BALANCE = 2

/**
 * Encodes kind u8 ‖ recipient or packed owner 32 ‖ amountOut u64 ‖ expiry u32, integers little-endian. Both kinds have
 * the same length, so the length doesn't reveal the kind. A balance has the amount 0.
 */
export function encodePayload(terms: PayloadTerms): Uint8Array {
  const bytes = Buffer.alloc(BYTES)
  const isTransfer = terms.kind === 'transfer'
  bytes.writeUInt8(isTransfer ? TRANSFER : BALANCE, 0)
  bytes.set(isTransfer ? addressBytes(terms.recipient) : terms.owner, 1)
  bytes.writeBigUInt64LE(isTransfer ? terms.amountOut : 0n, 33)
  bytes.writeUInt32LE(wholeNumber(terms.expiry), 41)
  return bytes
}

/**
 * Decodes a payload. The bytes are trusted, because decryption has authenticated them. @throws Error for an unknown
 * kind.
 */
export function decodePayload(clear: Uint8Array): PayloadTerms {
  const bytes = Buffer.from(clear)
  const expiry = unixSeconds(BigInt(bytes.readUInt32LE(41)))
  const owner = new Uint8Array(bytes.subarray(1, 33))
  if (bytes[0] === BALANCE) return { kind: 'balance', owner, expiry }
  if (bytes[0] !== TRANSFER) throw new Error('the payload has an unknown kind')
  const amountOut = amount(bytes.readBigUInt64LE(33))
  return { kind: 'transfer', recipient: addressFromBytes(owner), amountOut, expiry }
}
