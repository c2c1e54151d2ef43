import { amount, type Amount } from '@sotto/protocol'
import type { BalanceTerms } from './balance.ts'
import { CROWD_MAX, CROWD_MIN, type CrowdWish } from './crowd.ts'
import { canonicalJson, quoted } from './canonical-json.ts'

const PREFIX = 'q_'
const NONCE_BYTES = 16
const MAC_BYTES = 16
const BYTES = 51
const DELAY_BYTES = 3
const ACCOUNT_EXISTED = 1
const PAYMENT = 2
const DELIVERED_WITHOUT_CROWD = 4
/**
 * The position of the crowd's bits in the flags. These bits contain the minimum crowd minus 1, or 0 for a transfer that
 * waits for no crowd.
 */
const CROWD_SHIFT = 3

/** The content of a quoteId. Quotes aren't stored, so the quoteId must contain everything that the order needs. */
export interface QuoteId {
  /** The epoch of the key that made the MAC. */
  readonly epoch: number
  /** 16 random bytes. At most one order has a given nonce. */
  readonly nonce: Uint8Array
  /** True if the recipient's account existed at the time of the quote. The network fee depends on this. */
  readonly accountExisted: boolean
  /** True for a quote of a payment out of a balance. Such a quote can only be ordered as a payment. */
  readonly isPayment: boolean
  /** The crowd that the transfer waits for; undefined if it waits for no crowd. */
  readonly crowd?: CrowdWish | undefined
  readonly minDelaySeconds: number
  readonly maxDelaySeconds: number
  /** The value of the order's note, in base units. The quote of a swap doesn't show this value. */
  readonly value: Amount
  readonly mac: Uint8Array
}

/** The values of a quote's request that the order must repeat. */
export interface QuoteBinding {
  readonly accountId: string
  readonly senderAddress: string
  readonly recipientAddress: string
  /** 0 if the request had no partner fee. */
  readonly feeBps: number
  readonly feeRecipientAddress: string | undefined
  /** The balance to top up, with all defaults filled in. Undefined for a quote that isn't a top-up. */
  readonly topUp?: BalanceTerms | undefined
  /** The ticket of the note to spend. Set only for a quote of a payment out of a balance. */
  readonly balance?: string | undefined
}

/**
 * `q_` + base64url(epoch u32 ‖ nonce 16 ‖ flags u8 ‖ minDelay u24 ‖ maxDelay u24 ‖ value u64 ‖ MAC 16), with big-endian
 * integers. These 51 bytes need no padding, so each id has only one text.
 */
export function encodeQuoteId(id: QuoteId): string {
  return textOf(unsignedBytes(id), id.mac)
}

function textOf(bytes: Buffer, mac: Uint8Array): string {
  bytes.set(mac, BYTES - MAC_BYTES)
  return PREFIX + bytes.toString('base64url')
}

/** Reads a quoteId; undefined for any text that `encodeQuoteId` doesn't write. */
export function decodeQuoteId(text: unknown): QuoteId | undefined {
  // 68 characters of base64 always represent 51 bytes.
  if (typeof text !== 'string' || !/^q_[A-Za-z0-9_-]{68}$/.test(text)) return undefined
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url')
  const flags = bytes[4 + NONCE_BYTES]
  if (flags === undefined) return undefined
  const crowd = crowdIn(flags)
  if (crowd === undefined && (flags & DELIVERED_WITHOUT_CROWD) !== 0) return undefined
  return {
    epoch: bytes.readUInt32BE(0),
    nonce: new Uint8Array(bytes.subarray(4, 4 + NONCE_BYTES)),
    accountExisted: (flags & ACCOUNT_EXISTED) !== 0,
    isPayment: (flags & PAYMENT) !== 0,
    ...(crowd === undefined ? {} : { crowd }),
    minDelaySeconds: bytes.readUIntBE(21, DELAY_BYTES),
    maxDelaySeconds: bytes.readUIntBE(24, DELAY_BYTES),
    value: amount(bytes.readBigUInt64BE(27)),
    mac: new Uint8Array(bytes.subarray(-MAC_BYTES)),
  }
}

function flagsOf({
  accountExisted,
  isPayment,
  crowd,
}: Pick<QuoteId, 'accountExisted' | 'isPayment' | 'crowd'>): number {
  const flags = (accountExisted ? ACCOUNT_EXISTED : 0) | (isPayment ? PAYMENT : 0)
  if (crowd === undefined) return flags
  if (crowd.min < CROWD_MIN || crowd.min > CROWD_MAX)
    throw new RangeError('the minimum crowd is out of range')
  const missed = crowd.missed === 'deliver' ? DELIVERED_WITHOUT_CROWD : 0
  return flags | missed | ((crowd.min - 1) << CROWD_SHIFT)
}

function crowdIn(flags: number): CrowdWish | undefined {
  const others = flags >> CROWD_SHIFT
  if (others === 0) return undefined
  return { min: others + 1, missed: (flags & DELIVERED_WITHOUT_CROWD) === 0 ? 'refund' : 'deliver' }
}

/** All fields except the MAC. The buffer has room for the MAC at the end. */
function unsignedBytes(id: Omit<QuoteId, 'mac'>): Buffer {
  // The buffer needn't be cleared, because every byte is written later.
  const bytes = Buffer.allocUnsafe(BYTES)
  bytes.writeUInt32BE(id.epoch, 0)
  bytes.set(id.nonce, 4)
  bytes.writeUInt8(flagsOf(id), 20)
  bytes.writeUIntBE(id.minDelaySeconds, 21, DELAY_BYTES)
  bytes.writeUIntBE(id.maxDelaySeconds, 24, DELAY_BYTES)
  bytes.writeBigUInt64BE(id.value, 27)
  return bytes
}

function messageOf(header: Buffer, terms: string, binding: QuoteBinding): string {
  const { accountId, senderAddress, recipientAddress, feeBps, feeRecipientAddress } = binding
  const hex = header.toString('hex', 0, BYTES - MAC_BYTES)
  const feeRecipient = feeRecipientAddress === undefined ? 'null' : quoted(feeRecipientAddress)
  return (
    `["sotto/quote/v1","${hex}",${terms},${quoted(accountId)},${quoted(senderAddress)},` +
    `${quoted(recipientAddress)},${feeBps},${feeRecipient}${topUpPart(binding)}${paymentPart(binding)}]`
  )
}

/**
 * The additional members of a top-up. With them, a top-up's message has more members than a transfer's message, so the
 * two messages are never equal.
 */
function topUpPart({ topUp }: QuoteBinding): string {
  if (topUp === undefined) return ''
  return `,${quoted(topUp.key)},${topUp.lifeSeconds},${topUp.isReturned}`
}

/** The two additional members of a payment. Neither a transfer nor a top-up has them. */
function paymentPart({ balance }: QuoteBinding): string {
  return balance === undefined ? '' : `,"payment",${quoted(balance)}`
}

/**
 * The message over which a quoteId's MAC is computed. It contains the fields of the quoteId, the quote as received, and
 * the request's values. The quote is included without its quoteId, because the quoteId contains the MAC.
 */
export function quoteMessage(
  id: Omit<QuoteId, 'mac'>,
  quote: Readonly<Record<string, unknown>>,
  binding: QuoteBinding,
): string {
  const { quoteId: _, ...terms } = quote
  return messageOf(unsignedBytes(id), canonicalJson(terms), binding)
}

/** Creates the quoteId for a new quote. `terms` is the quote in canonical JSON, and `macOf` computes the MAC. */
export function signQuoteId(
  id: Omit<QuoteId, 'mac'>,
  terms: string,
  binding: QuoteBinding,
  macOf: (message: string) => Uint8Array,
): string {
  const bytes = unsignedBytes(id)
  return textOf(bytes, macOf(messageOf(bytes, terms, binding)))
}
