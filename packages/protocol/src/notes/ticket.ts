import { sha256 } from '@noble/hashes/sha2'
import {
  fixDecoderSize,
  getAddressDecoder,
  getBase64Decoder,
  getBase64Encoder,
  getBytesDecoder,
  getI64Decoder,
  getStructDecoder,
  getU64Decoder,
  type Address,
} from '@solana/kit'
import { ByteWriter } from '../byte-writer.ts'
import { addressBytes, fieldFromBytes, fieldToBytes } from '../field.ts'
import { amount, unixSeconds } from '../units.ts'
import type { Note } from './note.ts'

/** A note with what is needed to find it on chain: enough to settle it without the service. */
export interface Ticket {
  readonly program: Address
  /** The Order's 16-byte id. */
  readonly orderId: Uint8Array
  readonly note: Note
}

const PREFIX = 'sotto1_'
const CHECKSUM_BYTES = 4
const BODY_BYTES = 200
/** Made once: to make one takes longer than to decode with it. */
const BASE64 = getBase64Decoder()

const decoder = getStructDecoder([
  ['program', getAddressDecoder()],
  ['orderId', fixDecoderSize(getBytesDecoder(), 16)],
  ['recipient', getAddressDecoder()],
  ['sender', getAddressDecoder()],
  ['mint', getAddressDecoder()],
  ['amountOut', getU64Decoder()],
  ['feeBack', getU64Decoder()],
  ['expiry', getI64Decoder()],
  ['nk', fixDecoderSize(getBytesDecoder(), 32)],
])

/** Writes a ticket as `sotto1_` + base64url(body, first four bytes of its sha256). */
export function encodeTicket({ program, orderId, note }: Ticket): string {
  const body = new ByteWriter(BODY_BYTES)
    .bytes(addressBytes(program), 32)
    .bytes(orderId, 16)
    .bytes(addressBytes(note.recipient), 32)
    .bytes(addressBytes(note.sender), 32)
    .bytes(addressBytes(note.mint), 32)
    .u64(note.amountOut)
    .u64(note.feeBack)
    .i64(note.expiry)
    .bytes(fieldToBytes(note.nk), 32)
    .done()
  const bytes = new ByteWriter(BODY_BYTES + CHECKSUM_BYTES)
    .bytes(body, BODY_BYTES)
    .bytes(sha256(body).subarray(0, CHECKSUM_BYTES), CHECKSUM_BYTES)
    .done()
  // A whole number of three bytes, so that no padding follows.
  return PREFIX + BASE64.decode(bytes).replaceAll('+', '-').replaceAll('/', '_')
}

/** Reads a ticket. @throws Error that says what is wrong with it, without repeating it. */
export function decodeTicket(text: string): Ticket {
  const trimmed = text.trim()
  if (!trimmed.startsWith(PREFIX)) throw new Error(`a recovery ticket starts with ${PREFIX}`)
  const base64 = trimmed.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/')
  let bytes: Uint8Array
  try {
    bytes = new Uint8Array(getBase64Encoder().encode(base64))
  } catch (cause) {
    throw new Error('the recovery ticket holds characters that no ticket has', { cause })
  }
  if (bytes.length !== BODY_BYTES + CHECKSUM_BYTES) {
    throw new Error('the recovery ticket is cut short or has something appended')
  }
  const body = bytes.subarray(0, BODY_BYTES)
  const sum = sha256(body).subarray(0, CHECKSUM_BYTES)
  if (!sum.every((byte, index) => byte === bytes[BODY_BYTES + index])) {
    throw new Error("the recovery ticket's checksum is wrong: a character was changed")
  }
  const fields = decoder.decode(body)
  return {
    program: fields.program,
    orderId: new Uint8Array(fields.orderId),
    note: {
      nk: fieldFromBytes(new Uint8Array(fields.nk)),
      recipient: fields.recipient,
      sender: fields.sender,
      mint: fields.mint,
      amountOut: amount(fields.amountOut),
      feeBack: amount(fields.feeBack),
      expiry: unixSeconds(fields.expiry),
    },
  }
}
