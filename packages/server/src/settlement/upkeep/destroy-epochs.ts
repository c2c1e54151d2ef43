import { MAX_DEPOSIT_SECONDS, TREE_LEAVES, type UnixSeconds } from '@sotto/protocol'
import { destroyableFromMs, EPOCH_MS, epochStartMs } from '../../domain/epoch.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { OpenOrder } from '../../ports/settlement-store.ts'
import type { Ledger } from '../../ports/upkeep-records.ts'
import type { DestroyDependencies } from './destroy-dependencies.ts'
import { reportOverdueKeys } from './report-overdue-keys.ts'
import { notesOf } from './note-sums.ts'
import { resealStragglers } from './reseal-stragglers.ts'
import { unknownLeaves } from '../notes/unknown-leaves.ts'

const DAY_SECONDS = 86_400n

/** Two counts, at least this long apart, must agree that the database has all orders of an epoch. */
const LASTING_SECONDS = 120n

/**
 * Creates a step that destroys an epoch's key when all orders of the epoch have been final for the retention time.
 * After the destruction, the stored data no longer links the deposits of these orders to their deliveries. An order
 * that can't be delivered any more but isn't final would prevent the destruction of its epoch's key. So such an order
 * is first sealed under a newer key. Sealed data is deleted before the key is destroyed. If the process crashes in
 * between, the key is still listed, and the next round finishes the work.
 *
 * While the chain may have notes of orders that are missing in the database, no key is destroyed. If the database was
 * lost or restored from an older backup, an epoch may only seem empty or final. That epoch's key may be the only key to
 * a user's money.
 *
 * Once a day, the step also empties the replaced plans of balances, because a balance's key exists for weeks.
 */
export function epochDestroyer(d: DestroyDependencies): () => Promise<void> {
  const counter = new CompleteEpochs(d)
  let forgotDay: bigint | undefined
  return async () => {
    const day = (await d.store.readCursor()).unixSeconds / DAY_SECONDS
    // If this fails, keys must still be destroyed.
    try {
      if (day !== forgotDay) await d.store.forgetReplacedPlans()
      forgotDay = day
    } catch (error) {
      d.log.failed('destroy', error)
    }
    await destroyEpochs(d, counter)
  }
}

async function destroyEpochs(d: DestroyDependencies, counter: CompleteEpochs): Promise<void> {
  const nowMs = await latestCertainMs(d)
  const listed = await d.secrets.list()
  const ended = listed.filter((epoch) => destroyableFromMs(epoch, 'empty', d.retentionMs) <= nowMs)
  const counted = await counter.count(listed, nowMs)
  if (counted === 'doubtful') return reportOverdueKeys(d, ended, nowMs)
  const { known, once } = counted
  if (ended.some((epoch) => !known.has(epoch) && !once.has(epoch))) d.log.alert('orders_missing')
  // Hundreds of epochs may have open balances, so the orders are listed only once.
  let listedOpen: Promise<readonly OpenOrder[]> | undefined
  const open = () => (listedOpen ??= d.store.listOpen())
  const waiting = new Set<number>()
  const destroyed = new Set<number>()
  for (const epoch of ended.filter((one) => known.has(one))) {
    // If one epoch fails, the keys of other epochs must still be destroyed.
    try {
      if (await isOver(d, epoch, nowMs, open)) {
        await destroyEpoch(d, epoch)
        destroyed.add(epoch)
      } else waiting.add(epoch)
    } catch (error) {
      d.log.failed('destroy_epoch', error)
      if (!(await isReadable(d, epoch))) d.log.alert('secrets_missing')
    }
  }
  const overdue = ended.filter((epoch) => !waiting.has(epoch))
  await reportOverdueKeys(d, overdue, nowMs)
  // If a settlement became final in some hour, its order belongs to the epoch of that hour or to an older epoch. The
  // rows of that hour's settlements are deleted only after all keys of these epochs are destroyed. So the deletion
  // doesn't reveal the epoch of a delivery. The deletion runs in every round, because a process may have stopped after
  // it destroyed the last key. If a keystore is unavailable, it may list no keys. So no row is deleted if a key is
  // missing from the list although this round hasn't destroyed the key.
  const left = await d.secrets.list()
  if (left.length === 0 && ended.length === 0) return
  if (listed.some((epoch) => !destroyed.has(epoch) && !left.includes(epoch))) return
  const currentMs = nowMs - (nowMs % EPOCH_MS)
  await d.store.dropSettled(Math.min(currentMs, ...left.map(epochStartMs)))
}

interface Counted {
  /** The complete epochs. */
  readonly known: ReadonlySet<number>
  /** The epochs that one count has found complete, and that a second count must confirm. */
  readonly once: ReadonlySet<number>
}

/**
 * Finds the complete epochs. An epoch is complete if the database had all its orders at a time when no more deposits
 * for them could land. An unexplained leaf that was appended later must then belong to another epoch.
 *
 * One count can be wrong for a moment, for example if a settlement with an equal leaf is visible but not followed yet.
 * Such a count would hide that the database lacks the order of a deposit. So an epoch is complete only if two counts,
 * at least `LASTING_SECONDS` apart, and all counts between them agree. With several nodes, two of them must confirm the
 * tree of the second count.
 */
class CompleteEpochs {
  readonly #d: DestroyDependencies
  /**
   * The epochs that the last count found complete. Each has the followed clock at the first of the consecutive counts
   * that found it complete.
   */
  #once: ReadonlyMap<number, UnixSeconds> = new Map()

  constructor(d: DestroyDependencies) {
    this.#d = d
  }

  /**
   * Counts complete epochs. Returns `doubtful` if the books differ or haven't been compared yet, or if more orders have
   * ended than the tree has settlements. Then no key may be destroyed.
   */
  async count(listed: readonly number[], nowMs: number): Promise<Counted | 'doubtful'> {
    const { store } = this.#d
    const before = await store.listCompleteEpochs()
    const known = listed.filter((epoch) => before.has(epoch))
    const closed = listed.filter((epoch) => !before.has(epoch) && isClosed(epoch, nowMs))
    const once = this.#once
    this.#once = new Map()
    if (known.length === 0 && closed.length === 0) return { known: new Set(), once: new Set() }
    const { slot, unixSeconds } = await store.readCursor()
    const notes = await notesOf(this.#d, slot)
    const ledger = await store.readLedger()
    const unknown = unknownLeaves(ledger, notes)
    if (ledger.areBooksAgreeing !== true) return 'doubtful'
    if (unknown < 0 && BigInt(ledger.leaves) < TREE_LEAVES) return 'doubtful'
    if (closed.length === 0 || unknown > 2 * ledger.writtenOff) {
      return { known: new Set(known), once: new Set() }
    }
    const firsts = new Map(closed.map((epoch) => [epoch, once.get(epoch) ?? unixSeconds]))
    this.#once = firsts
    const confirmed = this.#confirmed(unixSeconds, ledger)
    const lasting = closed.filter(
      (epoch) => confirmed >= (firsts.get(epoch) ?? unixSeconds) + LASTING_SECONDS,
    )
    if (lasting.length === 0) return { known: new Set(known), once: new Set(closed) }
    const complete = [...known, ...lasting]
    await store.writeCompleteEpochs(complete)
    return { known: new Set(complete), once: new Set(closed) }
  }

  /**
   * Returns the given time, or the time up to which two nodes confirm the counted leaves, whichever is earlier. Nodes
   * confirm this process's tree, but the leaves are counted in the database, and another worker's node may have shown
   * false leaves. So the two must have equally many leaves.
   */
  #confirmed(clock: UnixSeconds, { leaves }: Pick<Ledger, 'leaves'>): bigint {
    const { witness, tree } = this.#d
    if (witness === undefined) return clock
    return leaves === tree.size ? witness.confirmed(clock) : 0n
  }
}

/** True if no deposit for the epoch's orders could have landed during the last hour. */
const isClosed = (epoch: number, nowMs: number): boolean =>
  epochStartMs(epoch) + 2 * EPOCH_MS + wholeNumber(MAX_DEPOSIT_SECONDS * 1_000n) <= nowMs

/**
 * Returns the chain's time or the wall clock's time, whichever is earlier, in milliseconds. If the wall clock is far
 * ahead, it must not end the current hour early, because that hour's key still seals new orders.
 */
async function latestCertainMs(d: DestroyDependencies): Promise<number> {
  const { unixSeconds } = await d.store.readCursor()
  return Math.min(d.clock.nowMs(), wholeNumber(unixSeconds * 1_000n))
}

/**
 * False if the epoch's key is damaged. Then an operator must restore the key from a backup before the epoch can be
 * cleared.
 */
const isReadable = ({ secrets }: DestroyDependencies, epoch: number): Promise<boolean> =>
  secrets.read(epoch).then(
    () => true,
    () => false,
  )

async function destroyEpoch(d: DestroyDependencies, epoch: number): Promise<void> {
  await d.store.clearEpoch(epoch)
  await d.secrets.destroy(epoch)
  d.log.event('epoch_destroyed')
}

async function isOver(
  d: DestroyDependencies,
  epoch: number,
  nowMs: number,
  open: () => Promise<readonly OpenOrder[]>,
): Promise<boolean> {
  let end = await d.store.readEpochEnd(epoch)
  if (end === 'open') {
    await resealStragglers(d, epoch, await open())
    end = await d.store.readEpochEnd(epoch)
  }
  return end !== 'open' && destroyableFromMs(epoch, end, d.retentionMs) <= nowMs
}
