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

/** Orders to check: those with a live attempt, or all, to find settlements made by others. */
export type ConfirmScope = 'attempts' | 'all'

/**
 * Finds the outcome of notes. A note is settled, by anyone, if the nullifier's account exists at finality;
 * otherwise its live attempt is judged. The height is read first, then the account, at no earlier slot.
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
    // A failure for one order must not block the others.
    try {
      if (note !== undefined) await confirm(d, one, note, head)
      else if (index < settled.length) await recover(d, one, head)
    } catch (error) {
      d.log.failed('confirm', error)
    }
  })
}

/** Ends an order whose nullifier's account exists at finality, with the outcome in that account. */
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

/** Writes an order's outcome, unless its status rules that outcome out. */
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
