import { TIME_GRID_SECONDS } from '@sotto/protocol'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from '../stage/open-stage.ts'
import { type Hoarder, openHoarder, spoil, type Spoilt } from './attacks.ts'
import { awaitRent } from './await-rent.ts'
import { expectBalances, openingBalances, type Ended } from './check-balances.ts'
import { endBalances, openBalances } from './balances.ts'
import { checkPool, openingBooks } from './check-pool.ts'
import { countProofs, judgeProofs } from './count-proofs.ts'
import { pay, place, type Market, type Placed } from './customer.ts'
import { drawAttacks, drawOrders, type DrawnOrder, type Fate } from './draw-orders.ts'
import { followOrder } from './follow-order.ts'
import { startKiller } from './killer.ts'
import { huntOptions } from './option-hunters.ts'
import type { Options } from './options.ts'
import { ServiceClient } from './service-client.ts'
import type { SoakReport } from './soak-report.ts'
import { watchMemory } from './watch-memory.ts'

/** Number of orders in a wave. After each wave, the time is advanced past the expiry of its orders. */
const WAVE = 100
/** Seconds by which the time is advanced after `huntOptions`. The hunters' unpaid swaps expire in this time. */
const ORDER_SECONDS = 1_300
/** Number of users who order at the same time. */
const USERS = 8
/**
 * Minimum number of orders for which a run's memory is judged. In a shorter run, the memory of the processes is still
 * growing to its usual size.
 */
const JUDGED_ORDERS = 200
const MEMORY_GROWTH_MAX = 1.1

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items]
  const one = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: USERS }, one))
}

const of = (drawn: readonly DrawnOrder[], ...fates: Fate[]) =>
  drawn.filter(({ fate }) => fates.includes(fate))

/** The parts of a run and its collected results. */
class Soak {
  readonly ended: Ended[] = []
  readonly wrong: string[] = []
  readonly #market: Market
  readonly #hoarder: Hoarder
  readonly #seed: number
  readonly #onProgress: (ended: number) => void
  #begun = 0

  constructor(market: Market, hoarder: Hoarder, seed: number, onProgress: (ended: number) => void) {
    this.#market = market
    this.#hoarder = hoarder
    this.#seed = seed
    this.#onProgress = onProgress
  }

  async #follow(placed: Placed, client = this.#market.client): Promise<void> {
    const { status, wrong } = await followOrder(client, placed)
    this.wrong.push(...wrong)
    this.ended.push({ ...placed, status })
    this.#onProgress(this.ended.length)
  }

  async #followSpoilt(spoilt: Spoilt): Promise<void> {
    await Promise.all([this.#follow(spoilt.placed), spoilt.mend()])
  }

  /**
   * Runs a wave of orders. First, all orders except hurried orders are placed, and prompt orders are delivered. Hurried
   * orders are placed right before the time is advanced, because a swap can be paid for only three minutes. Then the
   * time is advanced past the last expiry, all other orders end, and hunters look for free options.
   */
  async wave(drawn: readonly DrawnOrder[], attacks: readonly DrawnOrder[]): Promise<void> {
    const market = this.#market
    const open: Placed[] = []
    const following: Promise<void>[] = []
    const spoilt: Spoilt[] = []
    const begin = async (one: DrawnOrder) => {
      const order = await place(market, one)
      if (one.fate !== 'abandoned') await pay(market, order)
      if (one.fate === 'prompt' || one.fate === 'refreshed') following.push(this.#follow(order))
      else open.push(order)
    }
    const [{ placed: hoarded, wrong }] = await Promise.all([
      this.#hoarder.hoard(market, attacks),
      inParallel(of(attacks, 'closing', 'turning'), async (one) => {
        spoilt.push(await spoil(market, one, this.#seed))
      }),
      inParallel(of(drawn, 'prompt', 'refreshed', 'late', 'crowded', 'abandoned'), begin),
    ])
    this.wrong.push(...wrong)
    await Promise.all(following)
    await inParallel(of(drawn, 'hurried'), begin)
    const expiries = [...open, ...spoilt.map(({ placed }) => placed)].map(({ expiry }) => expiry)
    await this.#passExpiry(expiries)
    await Promise.all([
      ...open.map((order) => this.#follow(order)),
      ...hoarded.map((order) => this.#follow(order, this.#hoarder.client)),
      ...spoilt.map((one) => this.#followSpoilt(one)),
      this.#hunt(of(attacks, 'hunting')),
    ])
    this.#begun += drawn.length + attacks.length + hoarded.length
  }

  async #passExpiry(expiries: readonly bigint[]): Promise<void> {
    const { chain, advance, isTimeOurs } = this.#market.stage
    // If the time can't be advanced, all orders that are still open here are unpaid. They expire soon.
    if (!isTimeOurs) return
    const last = expiries.reduce((max, expiry) => (expiry > max ? expiry : max), 0n)
    const missing = last + TIME_GRID_SECONDS + 1n - (await chain.clock())
    await advance(Math.max(1, Number(missing)))
  }

  async #hunt(drawn: readonly DrawnOrder[]): Promise<void> {
    if (drawn.length === 0) return
    const { paid, unpaid, wrong } = await huntOptions(this.#market, drawn, this.#seed)
    this.wrong.push(...wrong)
    await Promise.all(paid.map((order) => this.#follow(order)))
    await this.#market.stage.advance(ORDER_SECONDS)
    await Promise.all(unpaid.map((order) => this.#follow(order)))
  }

  /** A list with one violation if some orders of the run haven't ended; otherwise an empty list. */
  missing(): readonly string[] {
    const { length } = this.ended
    return length === this.#begun ? [] : [`${length} of ${this.#begun} orders ended`]
  }
}

/** Time for killed processes to restart, so that no work is left when the balances are checked. */
const SETTLING_MS = 3_000

/** Runs the orders, and checks all balances afterwards. */
export async function runSoak(
  stage: Stage,
  options: Options,
  onProgress: (ended: number) => void,
): Promise<SoakReport> {
  const { orders, seed, faults } = options
  const client = new ServiceClient(stage.baseUrl, stage.setup.apiKey)
  const hoarder = await openHoarder(stage)
  const soak = new Soak({ stage, client }, hoarder, seed, onProgress)
  const { isTimeOurs } = stage
  const drawn = drawOrders(seed, orders, stage.setup.usdc, isTimeOurs)
  const [start, books] = [await openingBalances(stage), await openingBooks(stage)]
  const startedMs = performance.now()
  stage.proxy.setPercent(faults)
  const killer = options.kills ? startKiller(stage, seed) : undefined
  const memory = options.kills ? undefined : watchMemory(stage, () => soak.ended.length / orders)
  const proofs = countProofs(stage)
  const balances = await openBalances({ stage, client }, orders, seed)
  for (let from = 0; from < orders; from += WAVE) {
    const attacks = isTimeOurs ? drawAttacks(seed, orders + from, stage.setup.usdc) : []
    await soak.wave(drawn.slice(from, from + WAVE), attacks)
  }
  const topUps = await balances.paid()
  await killer?.stop()
  const seconds = (performance.now() - startedMs) / 1_000
  const proved = await proofs.stop()
  const held = memory?.stop()
  stage.proxy.setPercent(0)
  await sleep(SETTLING_MS)
  const processes = [stage.api, ...stage.workers].map(({ ends }) => ends)
  const kills = processes.reduce((sum, one) => sum + one.kills, 0)
  const otherEnds = processes.reduce((sum, one) => sum + one.others, 0)
  const payments = topUps.flatMap((one) => one.payments)
  const violations = [
    ...soak.wrong,
    ...client.complaints,
    ...soak.missing(),
    ...judgeProofs(proved, { ended: soak.ended, payments: payments.length, kills }),
    ...topUps.flatMap(({ wrong }) => wrong),
    ...(await checkPool(stage, books, soak.ended, topUps)),
    // These two checks need a chain whose time can be advanced, because balances end, and rent is returned, only after
    // weeks.
    ...(isTimeOurs ? await endBalances({ stage, client }, topUps) : []),
    ...(isTimeOurs ? await awaitRent(stage) : []),
  ]
  const expected = await expectBalances(stage, start, soak.ended, topUps)
  violations.push(...(await expected.differences(stage.chain)))
  const isJudged = held !== undefined && orders >= JUDGED_ORDERS
  if (isJudged && held.ratio > MEMORY_GROWTH_MAX) {
    violations.push(
      `memory grew to ${held.ratio.toFixed(2)} times its value at a quarter of the run`,
    )
  }
  return {
    ...{ orders, seed, seconds: Math.round(seconds) },
    ends: countBy(soak.ended.map(({ status }) => status.status)),
    fates: countBy(soak.ended.map((one) => one.drawn.fate)),
    kinds: countBy(soak.ended.map((one) => one.drawn.kind)),
    faults: { percent: faults, ...stage.proxy.counts },
    ...{ kills, otherEnds, proofs: proved },
    balances: expected.size,
    topUps: topUps.length,
    payments: countBy(payments.map(({ isPaid }) => (isPaid ? 'delivered' : 'expired'))),
    memory: held === undefined ? null : { ...held, isJudged },
    violations,
  }
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
