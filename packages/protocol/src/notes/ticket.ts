import { sha256 } from '@noble/hashes/sha2'
import {
  fixDecoderSize,
  getAddressDecoder,
  getBase64Decoder,
  getBase64Encoder,
  getBytesDecoder,
  getStructDecoder,
  getU32Decoder,
  getU64Decoder,
  getU8Decoder,
  type Address,
} from '@solana/kit'
import { ByteWriter } from '../byte-writer.ts'
import { addressBytes, addressFromBytes, fieldFromBytes, fieldToBytes } from '../field.ts'
import { amount, unixSeconds } from '../units.ts'
import type { Claim, Note } from './note.ts'
import type { Point } from './owner.ts'

/** A note with what is needed to find it on chain: enough to settle it without the service. */
export interface Ticket {
  readonly program: Address
  /** The 16-byte id of the order whose deposit the note descends from. */
  readonly orderId: Uint8Array
  readonly note: Note
  /** Of a balance: its owner's secret, an element of the field. It is enough to spend the balance. */
  readonly secret?: bigint | undefined
}

/** The public key of an owner's secret. */
export type OwnerOf = (secret: bigint) => Point

const PREFIX = 'sotto2_'
const CHECKSUM_BYTES = 6
const BODY_BYTES = 201
const [TRANSFER, BALANCE] = [1, 2] as const
/** Made once: to make one takes longer than to decode with it. */
const BASE64 = getBase64Decoder()

const bytes = (size: number) => fixDecoderSize(getBytesDecoder(), size)
const decoder = getStructDecoder([
  ['kind', getU8Decoder()],
  ['program', getAddressDecoder()],
  ['orderId', bytes(16)],
  ['sender', getAddressDecoder()],
  ['mint', getAddressDecoder()],
  ['value', getU64Decoder()],
  ['deadline', getU32Decoder()],
  ['expiry', getU32Decoder()],
  ['nk', bytes(32)],
  ['recipientOrSecret', bytes(32)],
  ['amountOut', getU64Decoder()],
])

/**
 * Writes a ticket as `sotto2_` + base64url(body, first six bytes of its sha256).
 * @throws Error for a balance without its owner's secret.
 */
export function encodeTicket({ program, orderId, note, secret }: Ticket): string {
  const { claim } = note
  const isTransfer = claim.kind === 'transfer'
  const body = new ByteWriter(BODY_BYTES)
    .u8(isTransfer ? TRANSFER : BALANCE)
    .bytes(addressBytes(program), 32)
    .bytes(orderId, 16)
    .bytes(addressBytes(note.sender), 32)
    .bytes(addressBytes(note.mint), 32)
    .u64(note.value)
    .u32(note.deadline)
    .u32(note.expiry)
    .bytes(fieldToBytes(note.nk), 32)
    .bytes(isTransfer ? addressBytes(claim.recipient) : secretBytes(secret), 32)
    .u64(isTransfer ? claim.amountOut : 0n)
    .done()
  const whole = new ByteWriter(BODY_BYTES + CHECKSUM_BYTES)
    .bytes(body, BODY_BYTES)
    .bytes(sha256(body).subarray(0, CHECKSUM_BYTES), CHECKSUM_BYTES)
    .done()
  // A whole number of three bytes, so that no padding follows.
  return PREFIX + BASE64.decode(whole).replaceAll('+', '-').replaceAll('/', '_')
}

function secretBytes(secret: bigint | undefined): Uint8Array {
  if (secret === undefined) throw new Error("a balance's ticket needs its owner's secret")
  return fieldToBytes(secret)
}

/** The bytes under a ticket's checksum. */
function bodyOf(text: string): Uint8Array {
  const trimmed = text.trim()
  if (!trimmed.startsWith(PREFIX)) throw new Error(`a recovery ticket starts with ${PREFIX}`)
  const base64 = trimmed.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/')
  let whole: Uint8Array
  try {
    whole = new Uint8Array(getBase64Encoder().encode(base64))
  } catch (cause) {
    throw new Error('the recovery ticket holds characters that no ticket has', { cause })
  }
  if (whole.length !== BODY_BYTES + CHECKSUM_BYTES) {
    throw new Error('the recovery ticket is cut short or has something appended')
  }
  const body = whole.subarray(0, BODY_BYTES)
  const sum = sha256(body).subarray(0, CHECKSUM_BYTES)
  if (!sum.every((byte, index) => byte === whole[BODY_BYTES + index])) {
    throw new Error("the recovery ticket's checksum is wrong: a character was changed")
  }
  return body
}

/**
 * Reads a ticket.
 *
 * @param ownerOf reads balances too; without it only a transfer's ticket is accepted
 * @throws Error that says what is wrong with the ticket, without repeating it.
 */
export function decodeTicket(text: string, ownerOf?: OwnerOf): Ticket {
  const fields = decoder.decode(bodyOf(text))
  const recipientOrSecret = new Uint8Array(fields.recipientOrSecret)
  const { claim, secret } = readClaim(fields.kind, recipientOrSecret, fields.amountOut, ownerOf)
  return {
    program: fields.program,
    orderId: new Uint8Array(fields.orderId),
    note: {
      nk: fieldFromBytes(new Uint8Array(fields.nk)),
      claim,
      sender: fields.sender,
      mint: fields.mint,
      value: amount(fields.value),
      deadline: unixSeconds(BigInt(fields.deadline)),
      expiry: unixSeconds(BigInt(fields.expiry)),
    },
    ...(secret === undefined ? {} : { secret }),
  }
}

function readClaim(
  kind: number,
  recipientOrSecret: Uint8Array,
  amountOut: bigint,
  ownerOf: OwnerOf | undefined,
): { readonly claim: Claim; readonly secret?: bigint } {
  if (kind === TRANSFER) {
    const recipient = addressFromBytes(recipientOrSecret)
    return { claim: { kind: 'transfer', recipient, amountOut: amount(amountOut) } }
  }
  if (kind !== BALANCE || amountOut !== 0n) {
    throw new Error('the recovery ticket is of a kind that this version does not know')
  }
  if (ownerOf === undefined) {
    throw new Error("this is a balance's recovery ticket: only a transfer's can be used here")
  }
  const secret = fieldFromBytes(recipientOrSecret)
  return { claim: { kind: 'balance', owner: ownerOf(secret) }, secret }
}
