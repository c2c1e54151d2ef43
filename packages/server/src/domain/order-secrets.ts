import type { CrowdWish } from './crowd.ts'
import { amount, type Address, type Amount, type UnixSeconds, unixSeconds } from '@sotto/protocol'

/**
 * The content of an order's sealed columns, as JSON under the order's epoch key. All data that would link the deposit
 * side to the delivery side is here and nowhere else.
 */

/** `sealed_terms`: the terms of the order that its deposit doesn't show. */
export interface SealedTerms {
  /** The payee. For a top-up, it is the sender, to whom the rest returns. */
  readonly recipient: Address
  /** The packed key of the balance's owner in hexadecimal digits; undefined for a transfer. */
  readonly owner?: string | undefined
  /** True for a balance of which the service keeps no data. Then only the owner can return the rest. */
  readonly isUnkept?: true | undefined
  /**
   * True if the payee's account existed at the quote. If it was closed before the delivery, it isn't created again,
   * because an attacker could collect its rent again and again.
   */
  readonly accountExisted: boolean
  /** The bounds of the drawn delay, which counts from the deposit's finality. */
  readonly minDelaySeconds: number
  readonly maxDelaySeconds: number
  /** The crowd that the delivery waits for; undefined if it waits for none. */
  readonly crowd?: CrowdWish | undefined
  /** The chance that was stated when the order was made, between 0 and 1; undefined for orders of earlier versions. */
  readonly linkProbability?: number | undefined
  /** The note's secret, for a resealed order whose original key may be destroyed. */
  readonly noteKey?: bigint | undefined
}

/** The members of a balance's newest note that differ from the order's own note. */
export interface BalanceNote {
  readonly nk: bigint
  /** Base units. */
  readonly value: Amount
  /**
   * Payments postpone deadline and expiry. The order's own columns never change, so that a copy of the database shows
   * no payment.
   */
  readonly deadline: UnixSeconds
  readonly expiry: UnixSeconds
  readonly leafIndex: number
  /** True if the owner has ended the balance. Its rest isn't returned then. */
  readonly isLeft?: true | undefined
}

/** `sealed_plan`: the plan of the delivery. */
export interface DeliveryPlan {
  /**
   * The time of the delivery by the wall clock, in milliseconds since 1970. For a transfer that waits for its crowd,
   * the time at which it is refunded, or delivered without a crowd.
   */
  readonly deliverAtMs: number
  /**
   * The wall clock's time from which the crowd is counted, in milliseconds. Set only while a transfer waits for its
   * crowd. Once the crowd has come, a delivery time is drawn. The crowd must be there at that time too.
   */
  readonly crowdFromMs?: number | undefined
  /** The reason of the last failed delivery. A refund states this reason. Undefined if no delivery has failed. */
  readonly reason?: OutcomeReason | undefined
  /** Number of failed tries since the deposit, or since the refund began. Pauses grow with this number. */
  readonly failures?: number | undefined
  /**
   * True once the refund is tried although the tree has a leaf equal to the one that a settlement of the note appends:
   * see `beginRefund`. The order's status stays until the refund has landed.
   */
  readonly isRefundTried?: true | undefined
  /** The condition that a refund waits for. A refund never opens a token account. */
  readonly waitsFor?: 'sender_account' | undefined
  /**
   * Lamports of priority fee that dead attempts may have cost since the deposit, or since the refund began; undefined
   * if there are none.
   */
  readonly cost?: Amount | undefined
  /** The rest of a balance after its payments; undefined before the first payment. */
  readonly note?: BalanceNote | undefined
}

/** The reason of a refund, as the status shows it. */
export type OutcomeReason =
  'recipient_not_payable' | 'not_delivered_in_time' | 'crowd_missed' | 'balance_ended'

/**
 * `sealed_outcome`: the settlement as the finalized chain shows it. Its transaction is known if some node's history
 * reaches it.
 */
export interface SettlementOutcome {
  readonly kind: 'delivery' | 'refund'
  readonly signature: string | undefined
  readonly slot: bigint | undefined
  /** The chain's time at the settlement, seconds since 1970. */
  readonly unixSeconds: UnixSeconds
  readonly assetId: Address
  /**
   * The amount that the payee got: `amountOut` for a delivery, the whole value for a refund; undefined for a spent
   * balance.
   */
  readonly amount: Amount | undefined
  readonly reason?: OutcomeReason | undefined
}

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]

const write = (value: object): Uint8Array => encoder.encode(JSON.stringify(value))
// The seal authenticates the text, so only this file can have written it.
const read = (clear: Uint8Array): unknown => JSON.parse(decoder.decode(clear))

export const encodeTerms = ({ noteKey, ...terms }: SealedTerms): Uint8Array =>
  write({ ...terms, ...(noteKey === undefined ? {} : { noteKey: `${noteKey}` }) })

export function decodeTerms(clear: Uint8Array): SealedTerms {
  const { noteKey, ...terms } = read(clear) as Omit<SealedTerms, 'noteKey'> & { noteKey?: string }
  return noteKey === undefined ? terms : { ...terms, noteKey: BigInt(noteKey) }
}

export const encodePlan = ({ note, cost, ...plan }: DeliveryPlan): Uint8Array =>
  write({
    ...plan,
    ...(cost === undefined ? {} : { cost: `${cost}` }),
    ...(note === undefined ? {} : { note: { ...note, ...digitsOf(note) } }),
  })

const digitsOf = ({ nk, value, deadline, expiry }: BalanceNote) => ({
  ...{ nk: `${nk}`, value: `${value}`, deadline: `${deadline}`, expiry: `${expiry}` },
})

export function decodePlan(clear: Uint8Array): DeliveryPlan {
  type Written = Omit<DeliveryPlan, 'note' | 'cost'> & {
    readonly cost?: string
    readonly note?: Pick<BalanceNote, 'leafIndex' | 'isLeft'> & ReturnType<typeof digitsOf>
  }
  const { note, cost, ...rest } = read(clear) as Written
  const plan = cost === undefined ? rest : { ...rest, cost: amount(BigInt(cost)) }
  if (note === undefined) return plan
  const times = {
    deadline: unixSeconds(BigInt(note.deadline)),
    expiry: unixSeconds(BigInt(note.expiry)),
  }
  const value = amount(BigInt(note.value))
  return { ...plan, note: { ...note, ...times, nk: BigInt(note.nk), value } }
}

/** Integers that may exceed JSON's numbers are written as digits. */
export function encodeOutcome(outcome: SettlementOutcome): Uint8Array {
  const { slot, unixSeconds: at, amount: paid } = outcome
  return write({
    ...outcome,
    slot: slot === undefined ? undefined : `${slot}`,
    unixSeconds: `${at}`,
    amount: paid === undefined ? undefined : `${paid}`,
  })
}

export function decodeOutcome(clear: Uint8Array): SettlementOutcome {
  type Written = Omit<SettlementOutcome, 'slot' | 'unixSeconds' | 'amount'> & {
    readonly slot?: string
    readonly unixSeconds: string
    readonly amount?: string
  }
  const written = read(clear) as Written
  return {
    ...written,
    signature: written.signature,
    slot: written.slot === undefined ? undefined : BigInt(written.slot),
    unixSeconds: unixSeconds(BigInt(written.unixSeconds)),
    amount: written.amount === undefined ? undefined : amount(BigInt(written.amount)),
  }
}
