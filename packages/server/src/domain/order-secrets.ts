import { amount, type Address, type Amount } from '@sotto/protocol'

/**
 * What stands in the sealed columns of an order, as JSON under the order's epoch key. Everything that
 * would join the deposit's side to the delivery's side is here and nowhere else.
 */

/** `sealed_terms`: what the order promises beyond what its deposit shows. */
export interface SealedTerms {
  readonly recipient: Address
  /**
   * Whether the account to be paid existed at the quote. One that existed and is gone at delivery
   * isn't made again: its rent could be farmed.
   */
  readonly accountExisted: boolean
  /** The delivery time is drawn between these, counted from the deposit's finality. */
  readonly minDelaySeconds: number
  readonly maxDelaySeconds: number
  /** The note's secret, of an order that has outlived the key which it was derived from. */
  readonly noteKey?: bigint | undefined
}

/** `sealed_plan`: when to deliver. */
export interface DeliveryPlan {
  /** Wall clock, milliseconds since 1970. */
  readonly deliverAtMs: number
  /** Why delivery is held back until the expiry, where it is: the refund will say so. */
  readonly reason?: OutcomeReason | undefined
  /** Tries that came to nothing since the deposit, or since the refund began; pauses grow with them. */
  readonly failures?: number | undefined
}

/** Why a note was refunded, as the status says it. */
export type OutcomeReason = 'recipient_not_payable' | 'not_delivered_in_time'

/**
 * `sealed_outcome`: the settlement as the finalized chain shows it. Program state always tells that it
 * happened, when, and which kind it was; the rest is known where some node's history reaches it.
 */
export interface SettlementOutcome {
  readonly kind: 'delivery' | 'refund'
  readonly signature: string | undefined
  readonly slot: bigint | undefined
  /** The chain's time of it, seconds since 1970. */
  readonly unixSeconds: bigint
  readonly assetId: Address
  /** A delivery's is always known; how much of its fee a refund gave back is in the history only. */
  readonly amount: Amount | undefined
  readonly reason?: OutcomeReason | undefined
}

const write = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
// Authenticated by the seal: only this file ever wrote it.
const read = (clear: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(clear))

export const encodeTerms = ({ noteKey, ...terms }: SealedTerms): Uint8Array =>
  write({ ...terms, ...(noteKey === undefined ? {} : { noteKey: `${noteKey}` }) })

export function decodeTerms(clear: Uint8Array): SealedTerms {
  const { noteKey, ...terms } = read(clear) as Omit<SealedTerms, 'noteKey'> & { noteKey?: string }
  return noteKey === undefined ? terms : { ...terms, noteKey: BigInt(noteKey) }
}

export const encodePlan = (plan: DeliveryPlan): Uint8Array => write(plan)
export const decodePlan = (clear: Uint8Array): DeliveryPlan => read(clear) as DeliveryPlan

/** Integers that may exceed what JSON's numbers hold are written as digits. */
export function encodeOutcome(outcome: SettlementOutcome): Uint8Array {
  const { slot, unixSeconds, amount: paid } = outcome
  return write({
    ...outcome,
    slot: slot === undefined ? undefined : `${slot}`,
    unixSeconds: `${unixSeconds}`,
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
    unixSeconds: BigInt(written.unixSeconds),
    amount: written.amount === undefined ? undefined : amount(BigInt(written.amount)),
  }
}
