import { unixSeconds, type Address, type Note, type UnixSeconds } from '@sotto/protocol'
import { livesLikeBalance } from '../../domain/balance.ts'
import { lawOf } from '../../domain/delivery-schedule.ts'
import { settleFee } from '../../domain/fees.ts'
import { hexOf } from '../../domain/hex.ts'
import type { UsualDelay } from '../../domain/observed-deposits.ts'
import { ObservedMarket, type ShownValue } from '../../domain/observed-market.ts'
import { stateQuote } from '../../domain/state-quote.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ListedTariff } from '../../ports/market-store.ts'
import type { FollowStore, OpenOrder, PayStore } from '../../ports/settlement-store.ts'
import { SharedAnswer } from '../../running/shared-answer.ts'
import type { TreeWitness } from '../follow/tree-witness.ts'
import type { OpenedOrder } from '../notes/opened-order.ts'

/** Maximum age of the chain's facts from which a crowd is counted, in milliseconds. */
const SHOWN_MS = 5_000
/** A crowd may be counted at a time that is at most this many seconds before the chain's clock. */
const LATE_SECONDS = 10n

interface CrowdDependencies {
  readonly store: Pick<FollowStore, 'readCursor'> &
    Pick<PayStore, 'readShown' | 'readTariffs' | 'listOpen'>
  readonly clock: Pick<Clock, 'nowMs'>
  /** See `SettlementSettings`. */
  readonly clockMarginSeconds?: bigint | undefined
  /** Undefined if only one node is configured. */
  readonly witness?: Pick<TreeWitness, 'confirmedTime'> | undefined
  readonly usualDelay: UsualDelay
}

/** One reading of the chain's facts, and the market that these facts show at the time `seconds`. */
interface Snapshot {
  readonly shown: readonly ShownValue[]
  /** The present tariff of each listed asset. */
  readonly tariffs: ReadonlyMap<Address, ListedTariff>
  /** The number of open transfers of each wallet and value, by the key that `kindOf` computes. */
  readonly open: ReadonlyMap<string, number>
  market: ObservedMarket
  seconds: UnixSeconds
}

/**
 * Counts crowds from facts that the chain shows, by the rule that quotes also use. So the time of a delivery reveals
 * only public facts. There is one exception: all open transfers of the sender count, even those whose deposits are too
 * old for the rule. If they didn't count, each of them would seem to be the sender's only open transfer.
 */
export class Crowds {
  readonly #d: Pick<CrowdDependencies, 'clock' | 'clockMarginSeconds' | 'witness'>
  readonly #usual: UsualDelay
  readonly #shown: SharedAnswer<Snapshot>
  /**
   * The anonymity sets of orders. The first key is the market in which they were counted, and the second key is the
   * order's id.
   */
  readonly #counted = new WeakMap<ObservedMarket, Map<string, number>>()

  constructor(d: CrowdDependencies) {
    const { store, clock, usualDelay } = d
    this.#d = d
    this.#usual = usualDelay
    this.#shown = new SharedAnswer(async () => {
      const { unixSeconds: seconds } = await store.readCursor()
      const shown = await store.readShown(seconds - BigInt(usualDelay.maxDelaySeconds))
      const tariffs = await store.readTariffs()
      const open = countOpen(await store.listOpen('due'))
      return { shown, tariffs, open, seconds, market: this.#marketAt(shown, seconds) }
    }, clock)
  }

  /**
   * True if a deposited transfer has the crowd that it asks for, or asks for no crowd. `clock` is the clock that a node
   * shows for a finalized block.
   */
  async isThere(
    opened: Pick<OpenedOrder, 'order' | 'terms' | 'note'>,
    clock: UnixSeconds,
  ): Promise<boolean> {
    const { crowd } = opened.terms
    if (crowd === undefined) return true
    const snapshot = await this.#shown.read(SHOWN_MS, SHOWN_MS)
    if (!hasPresentFee(opened, snapshot.tariffs.get(opened.note.mint))) return false
    const market = this.#marketOf(snapshot, this.#latestTime(clock))
    return this.#count(market, opened, snapshot.open) >= crowd.min
  }

  /**
   * Returns the latest of three times: the clock that one node shows, the time that two nodes confirm, and the wall
   * clock minus the margin. One node's late clock would make deposits from hours ago seem new. If one of the times is
   * too late, the crowd is only smaller.
   */
  #latestTime(clock: UnixSeconds): UnixSeconds {
    const { clock: wall, clockMarginSeconds: margin, witness } = this.#d
    const byNodes = witness?.confirmedTime ?? clock
    const later = byNodes > clock ? byNodes : clock
    if (margin === undefined) return later
    const byWall = BigInt(Math.floor(wall.nowMs() / 1_000)) - margin
    return byWall > later ? unixSeconds(byWall) : later
  }

  /**
   * Returns the market at the followed time or at the given time, whichever is later. The followed time is never later
   * than the wall clock. If the wall clock was set back, the followed time alone would make deposits from hours ago
   * seem new.
   */
  #marketOf(snapshot: Snapshot, clock: UnixSeconds): ObservedMarket {
    if (clock > snapshot.seconds + LATE_SECONDS) {
      snapshot.seconds = clock
      snapshot.market = this.#marketAt(snapshot.shown, clock)
    }
    return snapshot.market
  }

  #marketAt(shown: readonly ShownValue[], seconds: UnixSeconds): ObservedMarket {
    return new ObservedMarket(shown, this.#usual, wholeNumber(seconds))
  }

  /**
   * Counts each order's crowd once in each market. A count takes milliseconds, and there are several rounds a second.
   */
  #count(
    shown: ObservedMarket,
    { order, terms, note }: Pick<OpenedOrder, 'order' | 'terms' | 'note'>,
    open: Snapshot['open'],
  ): number {
    const counted = this.#counted.get(shown) ?? new Map<string, number>()
    this.#counted.set(shown, counted)
    const key = hexOf(order.orderId)
    const known = counted.get(key)
    if (known !== undefined) return known
    const { mint, value, sender } = note
    const ownLeast = open.get(kindOf({ mint, value, sender }))
    const { anonymitySet } = stateQuote(shown, lawOf(this.#usual), {
      ...{ mint, value, sender, delays: terms, isDeposited: true, ownLeast },
    })
    counted.set(key, anonymitySet)
    return anonymitySet
  }
}

/**
 * True if a transfer's fee could follow from the present tariff. The chain shows the fee of a settlement, and a crowd
 * counts only deposits that were quoted with the present tariff. If the tariff has changed since this transfer's quote,
 * an observer knows that none of these deposits belongs to this transfer, so they don't hide it. All quotes use the
 * same formula for the note's value after the partner's share: for sends and swaps, and for a given input or a given
 * payout. A crowd doesn't depend on whether the recipient's account existed at the quote, because a rebuilt order lacks
 * this fact and deposits don't show it.
 */
function hasPresentFee(
  { order, note }: Pick<OpenedOrder, 'order' | 'note'>,
  tariff: ListedTariff | undefined,
): boolean {
  if (tariff === undefined) return true
  const { serviceBps, networkFeeExists, networkFeeCreated } = tariff
  const fee = note.value - order.amountOut
  return [networkFeeExists, networkFeeCreated].some(
    (networkFee) => fee === settleFee(note.value, { serviceBps, networkFee }),
  )
}

const kindOf = ({ mint, value, sender }: Pick<Note, 'mint' | 'value' | 'sender'>): string =>
  `${sender} ${mint} ${value}`

/** Counts the open transfers of each wallet and value. Balances don't count, because they await no delivery. */
function countOpen(orders: readonly OpenOrder[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const order of orders) {
    if (livesLikeBalance(order)) continue
    const { sender, destinationMint: mint, value } = order
    const kind = kindOf({ mint, value, sender })
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}
