import { TIME_GRID_SECONDS } from '@sotto/protocol'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from '../stage/open-stage.ts'
import { awaitRent } from './await-rent.ts'
import { expectBalances, openingBalances, type Ended } from './check-balances.ts'
import { checkPool, openingBooks } from './check-pool.ts'
import { pay, place, type Market, type Placed } from './customer.ts'
import { drawOrders, type DrawnOrder } from './draw-orders.ts'
import { followOrder } from './follow-order.ts'
import { startKiller } from './killer.ts'
import type { Options } from './options.ts'
import { ServiceClient } from './service-client.ts'
import type { SoakReport } from './soak-report.ts'
import { watchMemory } from './watch-memory.ts'

/** Orders that share an expiry: then time is advanced past it. */
const WAVE = 100
/** Users at the same time. */
const USERS = 8
/** So few orders warm up for longer than they run. */
const JUDGED_ORDERS = 200
const MEMORY_GROWTH_MAX = 1.1

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items]
  const one = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: USERS }, one))
}

/** Everything that happens in a run, and what it collects. */
class Soak {
  readonly ended: Ended[] = []
  readonly wrong: string[] = []
  readonly #market: Market
  readonly #onProgress: (ended: number) => void

  constructor(market: Market, onProgress: (ended: number) => void) {
    this.#market = market
    this.#onProgress = onProgress
  }

  async #follow(placed: Placed): Promise<void> {
    const { status, wrong } = await followOrder(this.#market.client, placed)
    this.wrong.push(...wrong)
    this.ended.push({ ...placed, status })
    this.#onProgress(this.ended.length)
  }

  /** Orders with one expiry: paid ones are delivered, then it passes and the rest ends. */
  async wave(drawn: readonly DrawnOrder[]): Promise<void> {
    const { stage } = this.#market
    const placed: Placed[] = []
    const following: Promise<void>[] = []
    await inParallel(drawn, async (one) => {
      const order = await place(this.#market, one)
      placed.push(order)
      if (one.fate === 'abandoned' || one.fate === 'hurried') return
      await pay(this.#market, order)
      if (one.fate !== 'late') following.push(this.#follow(order))
    })
    await Promise.all(following)
    const of = (fate: string) => placed.filter((one) => one.drawn.fate === fate)
    await inParallel(of('hurried'), async (order) => void (await pay(this.#market, order)))
    const last = placed.reduce((max, { expiry }) => (expiry > max ? expiry : max), 0n)
    const missing = last + TIME_GRID_SECONDS + 1n - (await stage.chain.clock())
    await stage.advance(Math.max(1, Number(missing)))
    const rest = [...of('late'), ...of('hurried'), ...of('abandoned')]
    await Promise.all(rest.map((order) => this.#follow(order)))
  }
}

/** Lets what was killed come up again, so that nothing of it is still on its way when all is counted. */
const SETTLING_MS = 3_000

/** Runs the orders and counts everything afterwards. */
export async function runSoak(
  stage: Stage,
  options: Options,
  onProgress: (ended: number) => void,
): Promise<SoakReport> {
  const { orders, seed, faults, kills } = options
  const client = new ServiceClient(stage.baseUrl, stage.setup.apiKey)
  const soak = new Soak({ stage, client }, onProgress)
  const drawn = drawOrders(seed, orders, stage.setup.usdc)
  const [start, books] = [await openingBalances(stage), await openingBooks(stage)]
  const startedMs = performance.now()
  stage.proxy.setPercent(faults)
  const killer = kills ? startKiller(stage, seed) : undefined
  const memory = kills ? undefined : watchMemory(stage, () => soak.ended.length / orders)
  for (let from = 0; from < orders; from += WAVE) await soak.wave(drawn.slice(from, from + WAVE))
  await killer?.stop()
  const seconds = (performance.now() - startedMs) / 1_000
  const held = memory?.stop()
  stage.proxy.setPercent(0)
  await sleep(SETTLING_MS)
  const violations = [
    ...soak.wrong,
    ...client.complaints,
    ...(await checkPool(stage, books, soak.ended)),
    ...(await awaitRent(stage)),
  ]
  const expected = await expectBalances(stage, start, soak.ended)
  violations.push(...(await expected.differences(stage.chain)))
  const isJudged = held !== undefined && orders >= JUDGED_ORDERS
  if (isJudged && held.ratio > MEMORY_GROWTH_MAX) {
    violations.push(`memory grew to ${held.ratio.toFixed(2)} times what it was at a quarter`)
  }
  if (soak.ended.length !== orders)
    violations.push(`${soak.ended.length} of ${orders} orders ended`)
  const processes = [stage.api, ...stage.workers].map(({ ends }) => ends)
  return {
    ...{ orders, seed, seconds: Math.round(seconds) },
    ends: countBy(soak.ended.map(({ status }) => status.status)),
    fates: countBy(soak.ended.map((one) => one.drawn.fate)),
    kinds: countBy(soak.ended.map((one) => one.drawn.kind)),
    faults: { percent: faults, ...stage.proxy.counts },
    kills: processes.reduce((sum, one) => sum + one.kills, 0),
    otherEnds: processes.reduce((sum, one) => sum + one.others, 0),
    balances: expected.size,
    memory: held === undefined ? null : { ...held, isJudged },
    violations,
  }
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
