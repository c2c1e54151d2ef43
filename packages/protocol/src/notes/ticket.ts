import { sha256 } from '@noble/hashes/sha2'
import {
  fixDecoderSize,
  getBase64Decoder,
  getBase64Encoder,
  getBytesDecoder,
  getStructDecoder,
  getU32Decoder,
  getU64Decoder,
  getU8Decoder,
  transformDecoder,
  type Address,
} from '@solana/kit'
import { ByteWriter } from '../byte-writer.ts'
import { addressBytes, addressFromBytes, fieldFromBytes, fieldToBytes } from '../field.ts'
import { amount, unixSeconds, type Amount } from '../units.ts'
import type { Claim, Note } from './note.ts'
import { packOwner, unpackOwner, type Point } from './owner.ts'

/**
 * A note, with the data that locates the note on chain. With a ticket, its holder can settle the note without the
 * service.
 */
export interface Ticket {
  readonly program: Address
  /**
   * The 16-byte id of the order whose deposit created the note. For a change note, this is the id of the order that
   * deposited the balance's first note.
   */
  readonly orderId: Uint8Array
  readonly note: Note
  /**
   * The balance owner's secret, an element of the field; undefined for a transfer. Anyone who has the secret can spend
   * the balance. With a balance's ticket that lacks the secret, the only possible action is a refund to the sender,
   * after the balance's expiry.
   */
  readonly secret?: bigint | undefined
}

/** The public key of an owner's secret. */
export type OwnerOf = (secret: bigint) => Point

const PREFIX = 'sotto2_'
const CHECKSUM_BYTES = 6
const BODY_BYTES = 201
/**
 * The kinds of tickets. Two of them are for balances: one contains the owner's secret, the other the owner's packed
 * public key. Both secret and key have 32 bytes.
 */
const [TRANSFER, BALANCE, OWNED] = [1, 2, 3] as const
/** Created once, because creating a decoder takes longer than decoding. */
const BASE64 = getBase64Decoder()

const bytes = (size: number) => fixDecoderSize(getBytesDecoder(), size)
/** Used instead of the client library's address decoder, which is many times slower. */
const address = transformDecoder(bytes(32), (read) => addressFromBytes(new Uint8Array(read)))
const decoder = getStructDecoder([
  ['kind', getU8Decoder()],
  ['program', address],
  ['orderId', bytes(16)],
  ['sender', address],
  ['mint', address],
  ['value', getU64Decoder()],
  ['deadline', getU32Decoder()],
  ['expiry', getU32Decoder()],
  ['nk', bytes(32)],
  ['claimBytes', bytes(32)],
  ['amountOut', getU64Decoder()],
])

/** Writes a ticket as `sotto2_` + base64url(body ‖ first six bytes of the body's sha256). */
export function encodeTicket({ program, orderId, note, secret }: Ticket): string {
  const { kind, claimBytes, amountOut } = claimParts(note.claim, secret)
  const body = new ByteWriter(BODY_BYTES)
    .u8(kind)
    .bytes(addressBytes(program), 32)
    .bytes(orderId, 16)
    .bytes(addressBytes(note.sender), 32)
    .bytes(addressBytes(note.mint), 32)
    .u64(note.value)
    .u32(note.deadline)
    .u32(note.expiry)
    .bytes(fieldToBytes(note.nk), 32)
    .bytes(claimBytes, 32)
    .u64(amountOut)
    .done()
  const whole = new ByteWriter(BODY_BYTES + CHECKSUM_BYTES)
    .bytes(body, BODY_BYTES)
    .bytes(sha256(body).subarray(0, CHECKSUM_BYTES), CHECKSUM_BYTES)
    .done()
  // The length is a multiple of three bytes, so the base64 text has no padding.
  return PREFIX + BASE64.decode(whole).replaceAll('+', '-').replaceAll('/', '_')
}

function claimParts(claim: Claim, secret: bigint | undefined) {
  if (claim.kind === 'transfer') {
    const claimBytes = addressBytes(claim.recipient)
    return { kind: TRANSFER, claimBytes, amountOut: claim.amountOut }
  }
  if (secret === undefined) {
    return { kind: OWNED, claimBytes: packOwner(claim.owner), amountOut: 0n }
  }
  return { kind: BALANCE, claimBytes: fieldToBytes(secret), amountOut: 0n }
}

/** The body of a ticket's text: the bytes that its checksum covers. */
function bodyOf(text: string): Uint8Array {
  const trimmed = text.trim()
  if (!trimmed.startsWith(PREFIX)) throw new Error(`a recovery ticket starts with ${PREFIX}`)
  const base64 = trimmed.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/')
  let whole: Uint8Array
  try {
    whole = new Uint8Array(getBase64Encoder().encode(base64))
  } catch (cause) {
    throw new Error(
      'the recovery ticket contains characters that are not part of the ticket format',
      { cause },
    )
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
 * @param ownerOf computes an owner's key. If absent, balance tickets with the owner's secret are refused
 * @throws Error that says what is wrong with the ticket, without quoting it.
 */
export function decodeTicket(text: string, ownerOf?: OwnerOf): Ticket {
  const fields = decoder.decode(bodyOf(text))
  const claimBytes = new Uint8Array(fields.claimBytes)
  const { claim, secret } = readClaim(fields.kind, claimBytes, amount(fields.amountOut), ownerOf)
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
  claimBytes: Uint8Array,
  amountOut: Amount,
  ownerOf: OwnerOf | undefined,
): { readonly claim: Claim; readonly secret?: bigint } {
  if (kind === TRANSFER) {
    const recipient = addressFromBytes(claimBytes)
    return { claim: { kind: 'transfer', recipient, amountOut } }
  }
  if ((kind !== BALANCE && kind !== OWNED) || amountOut !== 0n) {
    throw new Error('this version does not know this kind of recovery ticket')
  }
  if (kind === OWNED) return { claim: { kind: 'balance', owner: ownerIn(claimBytes) } }
  if (ownerOf === undefined) {
    throw new Error("this recovery ticket contains a balance's secret, which must not be used here")
  }
  const secret = fieldFromBytes(claimBytes)
  return { claim: { kind: 'balance', owner: ownerOf(secret) }, secret }
}

function ownerIn(packed: Uint8Array): Point {
  const owner = unpackOwner(packed)
  if (owner === undefined) throw new Error("the recovery ticket's owner is not a valid public key")
  return owner
}
