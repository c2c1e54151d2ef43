import type { CrowdWish } from './crowd.ts'
import { amount, type Address, type Amount, type UnixSeconds, unixSeconds } from '@sotto/protocol'

/**
 * The content of an order's sealed columns: JSON that is encrypted with the key of the order's epoch. All data that
 * would link the deposit to the delivery is in these columns and nowhere else.
 */

/** `sealed_terms`: the terms of the order that its deposit doesn't show. */
export interface SealedTerms {
  /** The payee. For a top-up, it is the sender, who gets the rest back. */
  readonly recipient: Address
  /** The packed key of the balance's owner in hexadecimal digits; undefined for a transfer. */
  readonly owner?: string | undefined
  /** True if the service keeps no data of the balance. In that case only the owner can return the rest. */
  readonly isUnkept?: true | undefined
  /**
   * True if the payee's account existed at the quote. If such an account is closed before the delivery, the service
   * doesn't create it again. If the service did, an attacker could close the account again and again, and collect its
   * rent each time.
   */
  readonly accountExisted: boolean
  /** The limits of the drawn delay. The delay starts when the deposit is recorded as final. */
  readonly minDelaySeconds: number
  readonly maxDelaySeconds: number
  /** The crowd that the delivery waits for. Undefined if it waits for no crowd. */
  readonly crowd?: CrowdWish | undefined
  /**
   * The chance that an observer guesses the sender, between 0 and 1, calculated when the order was made. Undefined if
   * the status states no chance.
   */
  readonly linkProbability?: number | undefined
  /**
   * The note's secret. Set only if the order was resealed under a newer epoch's key, because the key from which the
   * secret was derived may be destroyed.
   */
  readonly noteKey?: bigint | undefined
}

/** The fields of a balance's newest note that differ from the note of the balance's deposit. */
export interface BalanceNote {
  readonly nk: bigint
  /** Base units. */
  readonly value: Amount
  /**
   * Payments postpone the deadline and the expiry. The order's own columns never change, so that a copy of the database
   * shows no payment.
   */
  readonly deadline: UnixSeconds
  readonly expiry: UnixSeconds
  readonly leafIndex: number
  /** True if the owner has ended the balance and the rest is too small to be returned. */
  readonly isLeft?: true | undefined
}

/** `sealed_plan`: the plan of the delivery. */
export interface DeliveryPlan {
  /**
   * The time of the delivery by the wall clock, in milliseconds since 1970. For a transfer that waits for its crowd, it
   * is the end of the wait. If the crowd is missed, the transfer is then refunded, or delivered without the crowd.
   */
  readonly deliverAtMs: number
  /**
   * The time of the first try that failed for a reason other than its payee's account, in milliseconds since 1970.
   * Undefined if there is none. Later tries move `deliverAtMs`, so only this time shows for how long the order has been
   * due.
   */
  readonly firstDueMs?: number | undefined
  /**
   * The wall clock's time from which the crowd is counted, in milliseconds. Set only while a transfer waits for its
   * crowd. Once the crowd is complete, a delivery time is drawn, and the crowd must still be complete at that time.
   */
  readonly crowdFromMs?: number | undefined
  /**
   * The reason that the status of a refund shows, such as a failed delivery or a missed crowd. Undefined if there is no
   * reason yet.
   */
  readonly reason?: OutcomeReason | undefined
  /**
   * Number of failed tries since the deposit, or since the refund began. It determines the length of the pauses between
   * tries.
   */
  readonly failures?: number | undefined
  /**
   * True if the refund is only tried. The note may already be settled, because the tree has a leaf that the note's
   * settlement would append: see `beginRefund`. The order keeps its status until the refund has landed.
   */
  readonly isRefundTried?: true | undefined
  /**
   * The condition that a refund waits for: the sender must have an account that can be paid. A refund never opens a
   * token account, and can't pay a frozen one. While a refund waits, no lamports of the relayers are reserved for it.
   */
  readonly waitsFor?: 'sender_account' | undefined
  /**
   * Lamports of priority fee that dead attempts may have cost since the deposit, or since the refund began. Undefined
   * if there are no dead attempts.
   */
  readonly cost?: Amount | undefined
  /** The newest note of a balance, with the rest after its payments. Undefined before the first payment. */
  readonly note?: BalanceNote | undefined
}

/** The reason of a refund, as the order's status shows it. */
export type OutcomeReason =
  | 'recipient_not_payable'
  | 'not_delivered_in_time'
  | 'crowd_missed'
  | 'balance_ended'

/**
 * `sealed_outcome`: the settlement as the finalized chain shows it. Signature and slot are known only if the history of
 * some node has the transaction.
 */
export interface SettlementOutcome {
  readonly kind: 'delivery' | 'refund'
  readonly signature: string | undefined
  readonly slot: bigint | undefined
  /** The chain's time at the settlement, seconds since 1970. */
  readonly unixSeconds: UnixSeconds
  readonly assetId: Address
  /**
   * The amount that the payee got, in base units: `amountOut` for a delivery, the whole value for a refund. Undefined
   * for a balance that was spent or left to its owner.
   */
  readonly amount: Amount | undefined
  readonly reason?: OutcomeReason | undefined
}

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]

const write = (value: object): Uint8Array => encoder.encode(JSON.stringify(value))
// The seal authenticates the text, so only this file can have written it.
const read = (clear: Uint8Array): unknown => JSON.parse(decoder.decode(clear))

export const encodeTerms = ({ noteKey, ...terms }: SealedTerms): Uint8Array =>
  write(noteKey === undefined ? terms : { ...terms, noteKey: `${noteKey}` })

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

/** Integers that may be too large for JSON's numbers are written as decimal digits. */
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
