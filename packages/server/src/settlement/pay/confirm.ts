import { canBecome } from '../../domain/order-state.ts'
import { encodeOutcome, type SettlementOutcome } from '../../domain/order-secrets.ts'
import type { FinalizedHead, SettledNote } from '../../ports/settlement-chain.ts'
import { liveAttemptOf } from './journal.ts'
import { nameOf, type OpenedOrder } from './open-note.ts'
import { recover } from './recover.ts'
import { runBounded } from '../../running/run-bounded.ts'
import { settledOutcome } from './settled-outcome.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

type ConfirmDependencies = Pick<
  SettleDependencies,
  'chain' | 'store' | 'clock' | 'log' | 'opener' | 'broadcasts' | 'unreadable' | 'concurrency'
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
  const { settled } = await d.chain.readNullifiers(nullifiers, head.slot)
  await runBounded([...opened.entries()], d.concurrency, async ([index, one]) => {
    const note = settled[index]
    // An order that fails to be confirmed keeps no other from it.
    try {
      if (note !== undefined) await confirm(d, one, note, head)
      else if (index < settled.length) await recover(d, one, head)
    } catch (error) {
      d.log.failed('confirm', error)
    }
  })
}

/** Ends an order whose nullifier's account exists at finality, as that account says. */
export async function confirm(
  d: ConfirmDependencies,
  opened: OpenedOrder,
  settled: SettledNote,
  head: FinalizedHead,
): Promise<void> {
  const outcome = await settledOutcome(d, opened, settled, head.unixSeconds)
  // Settled for certain; its transaction may still turn up.
  if (outcome !== undefined) await complete(d, opened, outcome)
}

/** Writes how an order ended, unless its status says that it can't have ended so. */
export async function complete(
  d: Pick<ConfirmDependencies, 'store' | 'clock' | 'log'>,
  opened: OpenedOrder,
  outcome: SettlementOutcome,
): Promise<void> {
  const { order, secrets } = opened
  const to = outcome.kind === 'refund' ? 'refunded' : 'delivered'
  if (!canBecome(order.status, to)) return d.log.alert('outcome_contradicts_status', nameOf(opened))
  const clear = encodeOutcome(outcome)
  const own = liveAttemptOf(d.log, opened)?.signature
  const isDone = await d.store.tryComplete(
    {
      orderId: order.orderId,
      to,
      sealedOutcome: secrets.seal(order.orderId, 'outcome', clear),
      attempt: order.attempt && {
        number: order.attempt.number,
        hasLanded: own !== undefined && own === outcome.signature,
      },
    },
    d.clock.nowMs(),
  )
  if (isDone) d.log.event(to)
}
