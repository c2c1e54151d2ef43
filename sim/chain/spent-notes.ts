import { amount, leftOf, nullifierOf, unixSeconds, type Address, type Note } from '@sotto/protocol'
import type { Ledger } from './ledger.ts'
import { quickHash } from './quick-hash.ts'
import type { Landed } from './transaction.ts'

/** The party that makes a payment: the balance's own service, another service, or the owner without any service. */
export type Payer = 'service' | 'rival' | 'owner'

/** Everything that an owner signed for a payment. */
export interface SignedPayment {
  readonly payer: Payer
  /** The id of the payment's order in hex; undefined if the owner makes the payment. */
  readonly key: string | undefined
  /** The nullifier of the note that the payment spends. */
  readonly nullifier: bigint
  readonly payee: Address
  /** The payout in base units. The fee has the same unit. */
  readonly payout: bigint
  readonly fee: bigint
  readonly changeNk: bigint
  readonly changeLeaf: bigint
  /** The time after which the signature is invalid, by the chain's clock, in seconds since 1970. */
  readonly validUntil: bigint
}

/** One of a balance's notes. The deposit makes the first note. Each later note is the change of a payment. */
export interface SpentNote {
  readonly note: Note
  readonly leafIndex: number
  readonly nullifier: bigint
  readonly spentBy: Landed | undefined
}

/** The owner's data on a balance. */
export interface KnownBalance {
  readonly order: { readonly key: string; readonly note: Note } | undefined
  readonly signed: readonly SignedPayment[]
}

/** The settlements of a note that landed up to a position. */
export const settlementsOf = (ledger: Ledger, nullifier: bigint, until: number): Landed[] =>
  ledger.landed.filter(
    ({ transaction: { message }, failure, position }) =>
      failure === undefined &&
      position <= until &&
      message.kind === 'settle' &&
      message.settlement.nullifier === nullifier,
  )

/** The notes of a balance up to a position, with the newest note last. Empty before the balance's deposit. */
export function spentNotes(
  ledger: Ledger,
  { order, signed }: KnownBalance,
  until: number,
): SpentNote[] {
  const notes: SpentNote[] = []
  if (order === undefined) return notes
  let { note } = order
  let leafIndex = ledger.leaves.findIndex(
    ({ orderKey, position }) => orderKey === order.key && position <= until,
  )
  while (leafIndex >= 0) {
    const nullifier = nullifierOf(quickHash, note.nk, BigInt(leafIndex))
    const [spentBy] = settlementsOf(ledger, nullifier, until)
    notes.push({ note, leafIndex, nullifier, spentBy })
    const message = spentBy?.transaction.message
    if (spentBy === undefined || message?.kind !== 'settle') return notes
    const { isRefund, changeLeaf, payout, fee } = message.settlement
    const payment = signed.find((one) => one.changeLeaf === changeLeaf)
    if (isRefund || payment === undefined) return notes
    const validUntil = unixSeconds(payment.validUntil)
    const value = amount(note.value - payout - fee)
    note = leftOf(note, { nk: payment.changeNk, value, validUntil })
    leafIndex = ledger.leaves.findIndex(
      ({ leaf, position }) => leaf === changeLeaf && position === spentBy.position,
    )
  }
  return notes
}

/**
 * True if a landed settlement is this payment: it has all signed values, and it landed before the signature expired.
 */
export function isPaymentOf(
  { transaction: { message }, unixSeconds }: Landed,
  { nullifier, payee, payout, fee, changeLeaf, validUntil }: SignedPayment,
): boolean {
  if (message.kind !== 'settle' || message.settlement.isRefund) return false
  const { settlement } = message
  return (
    settlement.nullifier === nullifier &&
    settlement.payee === payee &&
    settlement.payout === payout &&
    settlement.fee === fee &&
    settlement.changeLeaf === changeLeaf &&
    unixSeconds <= validUntil
  )
}
