import {
  leafOfNote,
  MAX_DEPOSIT_SECONDS,
  type Address,
  type Poseidon,
  type Ticket,
  type UnixSeconds,
} from '@sotto/protocol'
import { PAYMENT_SECONDS_MIN } from '../../domain/payment-life.ts'
import { balanceTicket } from '../../domain/payment-terms.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { WorkHint } from '../../domain/work-hint.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LeafPages } from '../../ports/leaf-pages.ts'
import type { PlacesByName } from '../../running/places-by-name.ts'
import type { Market, MarketAsset } from '../market/market.ts'
import { invalid, ServiceError } from '../service-error.ts'

/** The part of a payment's request that names the balance. */
export interface PaymentRequest {
  readonly balance: string
  readonly senderAddress: string
  readonly feeBps?: number | undefined
  readonly feeRecipientAddress?: string | undefined
  readonly balanceKey?: string | undefined
}

const RETRY_AFTER_SECONDS = 5
/**
 * Pauses between the searches of a quote that waits for a note, in milliseconds. Their sum is 1.4 s. A quote waits
 * because the owner's node may be some slots ahead of the service's node. Each search is a database read, and anyone
 * can invent a ticket, so a quote makes only a few searches.
 */
const SEARCH_PAUSES_MS = [25, 50, 100, 200, 200, 200, 200, 200, 200]
/**
 * Maximum number of quotes of one asker that wait for notes at the same time. Further quotes are refused without a
 * wait, and a client may request them again.
 */
export const NOTE_WAITS_MAX = 20

export interface NoteDependencies {
  readonly leaves: Pick<LeafPages, 'find'>
  readonly poseidon: Poseidon
}

export interface AwaitedNoteDependencies extends NoteDependencies {
  readonly clock: Clock
  /** Makes settlement follow the chain now. Returns immediately. */
  readonly wake: (hint: WorkHint) => void
  /** The quotes that wait for notes, by asker. */
  readonly noteWaits: PlacesByName
}

/** Parses the ticket in a request. @throws ServiceError INVALID_REQUEST. */
export function ticketOf(request: PaymentRequest, program: Address): Ticket {
  if (request.balanceKey !== undefined) {
    throw invalid('balanceKey', 'must be absent in a payment: only a top-up has it')
  }
  let ticket: Ticket
  try {
    ticket = balanceTicket(request.balance)
  } catch {
    // The decoder's message isn't used, because it could repeat a part of the ticket.
    throw invalid('balance', "must be the ticket of a balance without its owner's secret")
  }
  if (ticket.program !== program) throw invalid('balance', 'belongs to another pool')
  if (ticket.note.sender !== request.senderAddress) {
    throw invalid('senderAddress', 'must be the wallet that opened the balance')
  }
  const { feeBps = 0, feeRecipientAddress } = request
  if (feeBps > 0 || feeRecipientAddress !== undefined) {
    throw invalid(
      'feeBps',
      'must be 0: partners get their share from the deposit, not from payments',
    )
  }
  return ticket
}

/** Finds the asset of a balance. @throws ServiceError UNSUPPORTED_ASSET. */
export function assetOf(market: Market, { note }: Ticket): MarketAsset {
  const asset = market.assets.get(note.mint)
  if (asset === undefined) throw new ServiceError('UNSUPPORTED_ASSET', { param: 'balance' })
  return asset
}

/**
 * Finds the leaf index of a balance's note. The search covers the part of the tree that the service has followed.
 *
 * @throws ServiceError BALANCE_NOT_FOUND if the note isn't in the tree yet, or if no payment out of the note can be
 * proved yet; BALANCE_ENDED if the note expires before `validUntil`, the end of the payment.
 */
export function findNote(
  d: NoteDependencies,
  domain: Uint8Array,
  ticket: Ticket,
  validUntil: UnixSeconds,
): Promise<number> {
  return findWith(d, domain, ticket, validUntil, (leaf) => d.leaves.find(leaf))
}

/**
 * Like `findNote`, but waits a short time for a missing note. An owner may request the next payment as soon as the
 * owner's node shows the previous payment. The service may see the previous payment slightly later.
 */
export function awaitNote(
  d: AwaitedNoteDependencies,
  domain: Uint8Array,
  ticket: Ticket,
  validUntil: UnixSeconds,
  asker: string,
): Promise<number> {
  return findWith(d, domain, ticket, validUntil, async (leaf) => {
    const leafIndex = await d.leaves.find(leaf)
    if (leafIndex !== undefined || !d.noteWaits.tryTake(asker)) return leafIndex
    try {
      return await searchAgain(d, leaf)
    } finally {
      d.noteWaits.free(asker)
    }
  })
}

async function searchAgain(
  { leaves, clock, wake }: AwaitedNoteDependencies,
  leaf: bigint,
): Promise<number | undefined> {
  wake('leaf')
  for (const pauseMs of SEARCH_PAUSES_MS) {
    await clock.sleep(pauseMs)
    const leafIndex = await leaves.find(leaf)
    if (leafIndex !== undefined) return leafIndex
  }
  return undefined
}

async function findWith(
  { poseidon }: Pick<NoteDependencies, 'poseidon'>,
  domain: Uint8Array,
  { note }: Ticket,
  validUntil: UnixSeconds,
  find: LeafPages['find'],
): Promise<number> {
  if (note.expiry < validUntil) throw new ServiceError('BALANCE_ENDED', { param: 'balance' })
  // An owner chooses the deadline of a change note. If this deadline is too far in the future, no payment out of the
  // note can be proved yet.
  const provableAt = note.deadline - MAX_DEPOSIT_SECONDS
  const earlySeconds = provableAt - (validUntil - PAYMENT_SECONDS_MIN)
  if (earlySeconds > 0n) {
    const retryAfterSeconds = wholeNumber(earlySeconds)
    throw new ServiceError('BALANCE_NOT_FOUND', { retryAfterSeconds })
  }
  const leafIndex = await find(leafOfNote(poseidon, domain, note))
  if (leafIndex !== undefined) return leafIndex
  throw new ServiceError('BALANCE_NOT_FOUND', { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
