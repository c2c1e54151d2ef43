import { amount, type Amount, type UnixSeconds } from '@sotto/protocol'
import {
  BalanceRecord,
  type PaidPayment,
  type PaymentRequest,
  type SavedBalance,
  type UnrecordedPayment,
} from './balance-state.ts'
import type { BalanceStore } from './balance-store.ts'
import { nameIn, type PaymentName } from './payment-keys.ts'
import { shownNoteOf } from './shown-balance.ts'
import type { TransferState } from '../transfer/transfer-state.ts'

/** A payment, as a store records it. Only the chain shows whether a `signed` payment has landed. */
export type StoredPayment = PaymentName & {
  /** Unique among the payments in the store. */
  readonly id: string
  readonly request: PaymentRequest
} & (
    | { readonly step: 'quoted' }
    | { readonly step: 'signed'; readonly trackingId: string; readonly validUntil: string }
    | { readonly step: 'paid'; readonly paid: PaidPayment }
  )

export interface StoredBalance {
  readonly assetId: string
  /** The wallet that pays in. The rest returns to this wallet. */
  readonly senderAddress: string
  /** The step that the deposit's transfer has reached; null after the deposit has landed. */
  readonly topUp: TransferState['step'] | null
  /**
   * In base units. After the deposit has landed, this is the value of the newest note in the store. Before that, it is
   * the amount that the wallet pays.
   */
  readonly value: Amount
  /** The end of the balance, in seconds since 1970 by the chain's clock; null before the deposit has landed. */
  readonly endsAt: UnixSeconds | null
  /**
   * A payment before this second of the chain's clock can be linked to the top-up by its time; null before the
   * deposit has landed.
   */
  readonly linkableUntil: UnixSeconds | null
  /** The newest ticket in the store, including the secret; null before the deposit has landed. */
  readonly ticket: string | null
  readonly payments: readonly StoredPayment[]
  /** The newest mark that `Balance.mark` wrote, by the payment's key. */
  readonly marks: ReadonlyMap<string, string>
  /**
   * Payments that the chain shows, although the store has no record of them. The balance refuses to make a payment if
   * one of them may be that payment: see `Balance.forgetUnrecorded`.
   */
  readonly unrecorded: readonly UnrecordedPayment[]
  /**
   * The keys of single payments that were signed and then dropped, because your node showed that they couldn't land. If
   * the node lied, these payments may have landed. So don't make them out of another balance.
   */
  readonly lapsed: readonly string[]
}

/**
 * Reads a store without using the service or the chain; undefined if the store contains no balance. You may call this
 * while another process is using the balance.
 */
export async function storedBalance(store: BalanceStore): Promise<StoredBalance | undefined> {
  const record = await BalanceRecord.read(store)
  if (record === undefined) return undefined
  const { topUp, ticket } = record.state
  const payments = Object.entries(record.state.payments).map(([key, saved]): StoredPayment => {
    const known = { ...nameIn(key), id: key, request: saved.request }
    if (saved.step === 'quoted') return { ...known, step: 'quoted' }
    if (saved.step === 'paid') return { ...known, step: 'paid', paid: saved.paid }
    const { trackingId, terms } = saved
    return { ...known, step: 'signed', trackingId, validUntil: terms.validUntil }
  })
  const marks = marksIn(record.state)
  const { unrecorded = [] } = record.state
  const lapsed = (record.state.lapsed ?? []).flatMap((key) => {
    const name = nameIn(key)
    return name.kind === 'single' ? [name.key] : []
  })
  if (topUp !== null) {
    const { sourceAssetId: assetId, senderAddress, amount: digits } = topUp.request
    const opening = { topUp: topUp.step, value: amount(BigInt(digits)), ticket }
    return {
      assetId,
      senderAddress,
      ...opening,
      endsAt: null,
      linkableUntil: null,
      payments,
      marks,
      unrecorded,
      lapsed,
    }
  }
  const { note } = record.ticket
  const linkableUntil = ticket === null ? null : shownNoteOf(record.state, ticket).linkableUntil
  return {
    ...{ assetId: note.mint, senderAddress: note.sender, topUp: null },
    ...{
      value: note.value,
      endsAt: note.expiry,
      linkableUntil,
      ticket,
      payments,
      marks,
      unrecorded,
      lapsed,
    },
  }
}

function marksIn({ marks = {} }: SavedBalance): ReadonlyMap<string, string> {
  const named = Object.entries(marks).map(([stored, mark]) => ({ name: nameIn(stored), mark }))
  return new Map(
    named.flatMap(({ name, mark }) => (name.kind === 'single' ? [[name.key, mark] as const] : [])),
  )
}
