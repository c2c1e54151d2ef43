import { amount } from '@sotto/protocol'
import { canBecome } from '../domain/order-state.ts'
import { encodeOutcome, type SettlementOutcome } from '../domain/order-secrets.ts'
import type { FoundSettlement } from '../ports/chain-settle.ts'
import { readAttempt } from './journal.ts'
import type { OpenedOrder } from './open-note.ts'
import { recover } from './recover.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

type ConfirmDependencies = Pick<
  SettleDependencies,
  'chain' | 'store' | 'clock' | 'log' | 'opener' | 'broadcasts'
>

/** Orders to look at: those with a live attempt, or all, to find settlements made by others. */
export type ConfirmScope = 'attempts' | 'all'

/**
 * Finds out what became of notes: settled where the nullifier's account exists at finality, by
 * whomever; else the live attempt is judged. Height first, account after it and no earlier slot.
 */
export async function confirmOrders(d: ConfirmDependencies, scope: ConfirmScope): Promise<void> {
  const open = await d.store.listOpen()
  const watched = open.filter(({ attempt }) => scope === 'all' || attempt !== undefined)
  if (watched.length === 0) return
  const head = await d.chain.readHead()
  const opened = await d.opener.openAll(watched)
  const nullifiers = opened.map(({ nullifier }) => nullifier)
  const { areSettled } = await d.chain.readNullifiers(nullifiers, head.slot)
  for (const [index, one] of opened.entries()) {
    const isSettled = areSettled[index]
    // An order that fails to be confirmed keeps no other from it.
    try {
      if (isSettled === true) await confirm(d, one)
      else if (isSettled === false) await recover(d, one, head)
    } catch (error) {
      d.log.failed('confirm', error)
    }
  }
}

/** Ends an order whose nullifier's account exists at finality, as the transaction that made it says. */
export async function confirm(d: ConfirmDependencies, opened: OpenedOrder): Promise<void> {
  const found = await d.chain.findSettlement(opened.nullifier)
  // Settled for certain, but this node's history doesn't say how yet.
  if (found === undefined) return d.log.alert('attempt_unknown')
  const { order, secrets } = opened
  const to = found.isRefund ? 'refunded' : 'delivered'
  if (!canBecome(order.status, to)) return d.log.alert('outcome_contradicts_status')
  const clear = encodeOutcome(outcomeOf(opened, found))
  const isDone = await d.store.tryComplete(
    {
      orderId: order.orderId,
      to,
      sealedOutcome: secrets.seal(order.orderId, 'outcome', clear),
      attempt: order.attempt && {
        number: order.attempt.number,
        hasLanded: readAttempt(opened, order.attempt).signature === found.signature,
      },
    },
    d.clock.nowMs(),
  )
  if (isDone) d.log.event(to)
}

function outcomeOf({ note, plan }: OpenedOrder, found: FoundSettlement): SettlementOutcome {
  const { signature, slot, unixSeconds, isRefund } = found
  const facts = { signature, slot, unixSeconds, assetId: note.mint, amount: amount(found.amount) }
  if (!isRefund) return { ...facts, kind: 'delivery' }
  return { ...facts, kind: 'refund', reason: plan.reason ?? 'not_delivered_in_time' }
}
