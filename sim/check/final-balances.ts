import type { Address } from '@sotto/protocol'
import { isFinal, type OrderStatus } from '../../packages/server/src/domain/order-state.ts'
import type { BalanceOwner } from '../actors/balance-owner.ts'
import { tokenKey } from '../chain/ledger.ts'
import { spentNotes, type SignedPayment } from '../chain/spent-notes.ts'
import type { World } from '../run/world.ts'
import { statusOf } from '../store/memory-database.ts'

/** The amount that each wallet has received in each asset, minus the amount that it has sent. */
export type Flows = Map<string, bigint>
export type Vaults = ReadonlyMap<string, { owed: bigint; fees: bigint; inventory: bigint }>

export function move(flows: Flows, mint: string, wallet: string, amount: bigint): void {
  flows.set(tokenKey(mint, wallet), (flows.get(tokenKey(mint, wallet)) ?? 0n) + amount)
}

interface Sums {
  readonly flows: Flows
  readonly vaults: Vaults
}

/**
 * Adds the payments and the rest of a deposited balance to the sums. Finds the service's payments by their status.
 * Finds the owner's own payments on the chain, because only the chain has them. The vault owes the rest until the rest
 * has returned to the sender.
 */
export function checkBalance(
  world: World,
  owner: BalanceOwner,
  { status, value }: { readonly status: OrderStatus; readonly value: bigint },
  { flows, vaults }: Sums,
): void {
  const { order, sender } = owner
  const { fail } = world.watch
  if (order === undefined) return
  const { mint } = order.note
  const vault = vaults.get(mint)
  if (vault === undefined) return
  let rest = value
  for (const payment of paidOf(world, owner)) {
    rest -= payment.payout + payment.fee
    move(flows, mint, payment.payee, payment.payout)
    vault.fees += payment.fee
  }
  const notes = spentNotes(world.chain.ledger, owner, Infinity)
  const newest = notes.at(-1)
  if (newest?.note.value !== rest) fail('a balance is its deposit less its payments', owner.name)
  const isReturned = newest?.spentBy !== undefined
  if (status === 'refunded' && !isReturned)
    fail('a refunded balance has a refund on the chain', 'balance')
  if (isReturned) move(flows, mint, sender, rest)
  else vault.owed += rest
  checkEnd(owner, { status, returnedBy: newest?.spentBy?.transaction.feePayer, rest }, fail)
}

/**
 * Checks who returned a balance's rest. If the service must return the rest and made all payments, the rest must have
 * returned when the order is final. If the owner must take the rest back, only the sender's wallet may have paid for
 * the return.
 */
function checkEnd(
  { isReturned: isKept, signed, name, sender }: BalanceOwner,
  end: { status: OrderStatus; returnedBy: Address | undefined; rest: bigint },
  fail: World['watch']['fail'],
): void {
  const { status, returnedBy, rest } = end
  const isReturned = returnedBy !== undefined
  if (!isKept && isReturned && returnedBy !== sender)
    fail('only the owner takes back the rest of a balance without automatic return', name)
  const isByServiceAlone = signed.every(({ payer }) => payer === 'service')
  const isOver = isFinal(status)
  if (isOver && isKept && isByServiceAlone && rest > 0n && !isReturned) {
    fail('the service returns the rest of a balance', name)
  }
}

/** The payments whose status is `delivered`, and the payments that the owner made without the service. */
function paidOf(world: World, owner: BalanceOwner): SignedPayment[] {
  const { ledger } = world.chain
  const landed = spentNotes(ledger, owner, Infinity).flatMap(({ spentBy }) => spentBy ?? [])
  const isLanded = ({ changeLeaf, payee }: SignedPayment) =>
    landed.some(
      ({ transaction: { message } }) =>
        message.kind === 'settle' &&
        message.settlement.changeLeaf === changeLeaf &&
        message.settlement.payee === payee,
    )
  const paid: SignedPayment[] = []
  for (const payment of owner.signed) {
    const status = paymentStatus(world, payment)
    const isPaid = status === 'delivered' || (payment.payer === 'owner' && isLanded(payment))
    const isNew = !paid.some(({ nullifier }) => nullifier === payment.nullifier)
    // The owner may have signed an equal payment without the service. Then the landed settlement matches both payments,
    // and only the first payment counts.
    if (isPaid && !isNew && payment.payer === 'owner') continue
    if (isPaid && !isNew) world.watch.fail('each note makes only one payment', owner.name)
    if (isPaid && isNew) paid.push(payment)
    if (world.isCalm && owner.due.has(payment.key ?? '') && status !== 'delivered') {
      world.watch.fail('every possible payment is made', owner.name)
    }
  }
  return paid
}

/** The status of a signed payment's order in the database of the service that made the order. */
function paymentStatus(world: World, { key, payer }: SignedPayment): OrderStatus | undefined {
  if (key === undefined) return undefined
  const memory = payer === 'service' ? world.memory : world.rival?.stage.memory
  const row = memory?.database.payments.get(key)
  return row && statusOf(row)
}
