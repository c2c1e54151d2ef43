import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ENGINES, type Engine } from '../ground/open-ground.ts'
import { lineOf, type Line } from '../report/line.ts'
import type { Suite, SuiteOptions } from '../suite.ts'
import { CLIENTS, compare, type Operation, type Sizes } from './compare.ts'
import { placeOrders, startBare, type Placed } from './sample-stage.ts'
import { openStage } from './stage.ts'
import { eachOnce, inTurns, statusShot, Traffic } from './traffic.ts'

/**
 * There are many short rounds. A shared machine may be slow for several seconds, and this must affect both sides
 * equally.
 */
const FULL: Sizes = { rounds: 11, seconds: 1, clients: CLIENTS }
const QUICK: Sizes = { rounds: 1, seconds: 0.2, clients: CLIENTS }
/** The name of each database in the names of the report's lines. */
const KIND: Readonly<Record<Engine, string>> = { PostgreSQL: 'postgres', PGlite: 'pglite' }

/**
 * The limits for each operation's peak rate, and for all latencies. PGlite is for trials, so its limits are less
 * strict.
 */
const BARS = {
  PostgreSQL: {
    quote: '>= 0.7',
    order: '>= 0.55',
    status: '>= 0.75',
    replay: '>= 0.6',
    tail: '<= 4',
  },
  PGlite: { quote: '>= 0.5', order: '>= 0.3', status: '>= 0.6', replay: '>= 0.6', tail: '<= 5' },
} as const

/**
 * The line for quotes to unknown recipients. It has no limit, because these quotes wait for the chain's node, which
 * runs on the same machine. A second line compares the processor time of the service alone.
 */
const COLD = 'quote, recipient unknown'
const NAMES = ['quote', COLD, 'order', 'status', 'replay']

function operationsOf(
  bars: (typeof BARS)[Engine],
  traffic: Traffic,
  placed: readonly Placed[],
  orders: number,
): Operation[] {
  const statuses = inTurns(placed.map(({ answer }) => statusShot(answer.order.trackingId)))
  const shots = placed.map(({ shot }) => shot)
  const bareReplays = shots.map((shot) => ({ ...shot, path: `/replay${shot.path}` }))
  const repeated = (next: () => ReturnType<typeof statuses>) => async () => next
  return [
    {
      ...{ name: 'quote', bar: bars.quote },
      ...{ prepare: repeated(traffic.warmQuote), bare: traffic.warmQuote },
    },
    {
      ...{ name: COLD, bar: null },
      ...{ prepare: repeated(traffic.coldQuote), bare: traffic.coldQuote },
    },
    {
      ...{ name: 'order', bar: bars.order },
      prepare: async (count) => eachOnce(await traffic.newOrders(Math.min(count, orders))),
      bare: inTurns(shots),
    },
    {
      ...{ name: 'status', bar: bars.status },
      ...{ prepare: repeated(statuses), bare: statuses },
    },
    {
      ...{ name: 'replay', bar: bars.replay },
      ...{ prepare: repeated(inTurns(shots)), bare: inTurns(bareReplays) },
    },
  ]
}

/**
 * At most this many orders are prepared for a round. No round needs so many orders, and this number still fits into
 * memory.
 */
const ORDERS_MAX = 20_000

async function measure(engine: Engine, folder: string, options: SuiteOptions): Promise<Line[]> {
  const kind = KIND[engine]
  options.progress(`  ${kind}: starting chain, database and service`)
  const stage = await openStage(engine, folder)
  try {
    const traffic = new Traffic(stage)
    const placed = await placeOrders(traffic)
    const bare = await startBare(stage, folder, traffic, placed)
    try {
      const { headers } = traffic
      const sides = {
        product: { origin: stage.baseUrl, headers, pid: stage.pid },
        bare: { origin: bare.ready.baseUrl, headers, pid: bare.pid },
      }
      const lines: Line[] = []
      for (const operation of operationsOf(BARS[engine], traffic, placed, ORDERS_MAX)) {
        if (!options.wants(`${kind}: ${operation.name}`)) continue
        const tail = operation.bar === null ? null : BARS[engine].tail
        const sizes = options.quick ? QUICK : FULL
        const measured = await compare(sides, operation, sizes, tail, options.progress)
        for (const one of measured) {
          const line = lineOf({ ...one, name: `${kind}: ${one.name}` }, !options.quick)
          options.progress(`  ${line.name}: ${line.value} ${line.unit}, ratio ${line.ratio}`)
          lines.push(line)
        }
      }
      return lines
    } finally {
      await bare.stop()
    }
  } finally {
    await stage.close()
  }
}

/** Measures the HTTP interface. The baseline is the framework alone, on each database. */
export const httpSuite: Suite = {
  measures:
    'the HTTP interface compared with the same framework doing only the minimum for each request',
  run: async (options) => {
    const lines: Line[] = []
    for (const engine of ENGINES) {
      if (!NAMES.some((name) => options.wants(`${KIND[engine]}: ${name}`))) continue
      const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-'))
      try {
        lines.push(...(await measure(engine, folder, options)))
      } catch (cause) {
        throw new Error(`the logs are in ${folder}`, { cause })
      }
      await rm(folder, { recursive: true, force: true })
    }
    return lines
  },
}
