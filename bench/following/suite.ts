import { poolAddress, shownPool, type Address } from '@sotto/protocol'
import { getBase64Encoder } from '@solana/kit'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pay, type Market } from '../../testing/soak/customer.ts'
import { ServiceClient } from '../../testing/soak/service-client.ts'
import { openStage, type Stage } from '../../testing/stage/open-stage.ts'
import { lineOf, type Measured } from '../report/line.ts'
import { placeSend } from '../settlement/orders.ts'
import type { Suite, SuiteOptions } from '../suite.ts'
import { startSpam } from './spam.ts'

const NAME = 'following: lag under 200 transactions a second that name the tree'
const SPAM_PER_SECOND = 200
const SLOT_MS = 400
const SEED = 1
const POLL_MS = 20
const ROUNDS = 4
const ORDERS = 5
const QUICK = 1

/** The maximum time for recording a deposit, in milliseconds. If the worker takes longer, the run fails. */
const PATIENCE_MS = 60_000

/** The number of orders whose deposit the worker has recorded. */
async function countRecorded(database: pg.Pool): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    'SELECT count(*) AS count FROM orders WHERE leaf_index IS NOT NULL',
  )
  return Number(rows[0]?.count)
}

/** Waits until this number of deposits is recorded. Returns the time at the end of the wait, by `performance.now()`. */
async function untilRecorded(database: pg.Pool, count: number): Promise<number> {
  const endMs = performance.now() + PATIENCE_MS
  while ((await countRecorded(database)) < count) {
    if (performance.now() > endMs) throw new Error(`${count} deposits were never recorded`)
    await sleep(POLL_MS)
  }
  return performance.now()
}

/** Measures how long the worker takes to record a deposit after it is final on the node, in milliseconds. */
async function measureLags(market: Market, database: pg.Pool, orders: number): Promise<number[]> {
  const { rpc } = market.stage.chain
  const lags: number[] = []
  for (let index = 0; index < orders; index += 1) {
    const placed = await placeSend(market, index)
    const recorded = await countRecorded(database)
    await pay(market, placed)
    const landed = await rpc.getSlot({ commitment: 'confirmed' }).send()
    const done = untilRecorded(database, recorded + 1)
    while ((await rpc.getSlot({ commitment: 'finalized' }).send()) < landed) await sleep(POLL_MS)
    const finalMs = performance.now()
    lags.push(Math.max(0, (await done) - finalMs))
  }
  return lags
}

async function treeOf({ chain, program }: Stage): Promise<Address> {
  const { value } = await chain.rpc
    .getAccountInfo(await poolAddress(program), { encoding: 'base64', commitment: 'confirmed' })
    .send()
  const shown = value && { owner: value.owner, data: getBase64Encoder().encode(value.data[0]) }
  const pool = shown === null ? undefined : shownPool(program, shown)
  if (pool === undefined) throw new Error('the pool is not on this chain')
  return pool.tree
}

async function measure(stage: Stage, { quick, progress }: SuiteOptions): Promise<Measured> {
  const market = { stage, client: new ServiceClient(stage.baseUrl, stage.setup.apiKey) }
  const database = new pg.Pool({ connectionString: stage.databaseUrl, max: 1 })
  const tree = await treeOf(stage)
  const [rounds, orders] = quick ? [QUICK, QUICK] : [ROUNDS, ORDERS]
  const values: number[] = []
  const baselines: number[] = []
  try {
    for (let round = 1; round <= rounds; round += 1) {
      baselines.push(...(await measureLags(market, database, orders)))
      const spam = await startSpam(stage, tree, SPAM_PER_SECOND)
      values.push(...(await measureLags(market, database, orders)))
      const { sent, refused } = await spam.stop()
      progress(`  round ${round}: ${sent.toFixed(0)} a second sent, ${refused.toFixed(0)} refused`)
    }
  } finally {
    await database.end()
  }
  return { name: NAME, unit: 'ms', values, baselines, bar: '<= 1.1' }
}

/**
 * Measures a worker while an attacker floods the tree's history. The baseline is the same worker on the same chain
 * without the flood.
 */
export const followingSuite: Suite = {
  measures: 'how long the worker takes to record a final deposit, with spam and without',
  run: async (options) => {
    if (!options.wants(NAME)) return []
    const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-'))
    const settings = { SOTTO_DELAY_MIN_SECONDS: '60', SOTTO_DELAY_MAX_SECONDS: '600' } as const
    const stage = await openStage({ folder, seed: SEED, workers: 1, slotMs: SLOT_MS, settings })
    try {
      const measured = await measure(stage, options)
      await rm(folder, { recursive: true, force: true })
      return [lineOf(measured, !options.quick)]
    } catch (cause) {
      throw new Error(`the logs are in ${folder}`, { cause })
    } finally {
      await stage.close()
    }
  },
}
