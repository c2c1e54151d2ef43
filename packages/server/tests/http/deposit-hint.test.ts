import type { Address } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../../../../testing/patience/until.ts'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import {
  hintWorkers,
  listenForHints,
  type HintListener,
} from '../../src/adapters/store/deposit-hints.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import type { WorkHint } from '../../src/domain/work-hint.ts'
import { startEngine, type Engine } from '../settlement/stack/engine.ts'
import { startPostgres, type StartedPostgres } from '../start-postgres.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { placed, send, solSend } from './partner-client.ts'
import { startApi, type StartedApi } from './start-api.ts'
import { submitDeposit } from './submit-deposit.ts'

/** Polling interval in milliseconds. It is longer than this test, so workers poll only after a hint. */
const NEVER_MS = 3_600_000

let postgres: StartedPostgres
let url: string
let setUp: HttpStack
let apiDatabase: Database
let api: StartedApi
let stack: HttpStack
let engine: Engine
let listener: HintListener
let looks = 0
const failures: unknown[] = []
const failed = (error: unknown) => void failures.push(error)

beforeAll(async () => {
  postgres = await startPostgres()
  url = await postgres.createDatabase()
  setUp = await startHttpStack(async () => openPostgres(url))
  // The API has its own connection to the database. So its hints reach the worker only through the database, as they do
  // from another process.
  apiDatabase = openPostgres(url)
  const wake = hintWorkers(apiDatabase, failed)
  api = await startApi({ ...setUp, database: apiDatabase, wake }, setUp.settings)
  stack = { ...setUp, ...api }
  type Shown = { tree: Address; domain: string }
  const { tree, domain } = await setUp.operate<Shown>('pool', 'show')
  const unused = { prove: () => Promise.reject(new Error('nothing is proven here')) }
  const pool = { tree, domain: new Uint8Array(Buffer.from(domain, 'hex')) }
  const parts = { ...setUp, ...pool, prover: unused as never, relayers: [] }
  engine = startEngine(
    parts,
    (chain) => ({
      ...chain,
      readConfirmedLeaves: (from) => {
        looks += 1
        return chain.readConfirmedLeaves(from)
      },
    }),
    {},
    { pollMs: NEVER_MS, sweepMs: NEVER_MS, upkeepMs: NEVER_MS },
  )
})
afterAll(async () => {
  await listener?.close()
  await engine?.stop()
  await api?.stop()
  await apiDatabase?.close()
  await setUp?.close()
  await postgres?.stop()
})

const nextAction = async (trackingId: string) => {
  const { body } = await send(stack, 'GET', `/transfer/v1/status/${trackingId}`)
  return (body['order'] as { nextAction: string }).nextAction
}

const hint = (trackingId: string) =>
  send(stack, 'POST', '/transfer/v1/deposit', { body: { trackingId } })

it('a hint makes the worker of another process check the chain immediately', async () => {
  const { order } = await placed(stack, solSend(stack))
  // The worker checks once at its start. It checks again after it connects, because a hint may have been sent before
  // the connection.
  await until(() => looks > 0)
  const started = looks
  listener = listenForHints(url, engine.wake, { clock: systemClock, failed })
  await until(() => looks > started)
  await systemClock.sleep(500)
  await submitDeposit(stack, order.transaction)
  const before = looks
  expect(await nextAction(order.trackingId)).toBe('sign')
  expect((await hint(order.trackingId)).status).toBe(200)
  await until(() => looks > before)
  await until(async () => (await nextAction(order.trackingId)) === 'wait')
})

it('a hint reaches the worker again after the connection was lost', async () => {
  const { order } = await placed(stack, solSend(stack))
  const listening = `FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`
  const pids = () => setUp.database.query<{ pid: number }>(`SELECT pid ${listening}`, [])
  const [old] = await pids()
  const before = looks
  await setUp.database.query(`SELECT pg_terminate_backend(pid) ${listening}`, [])
  await until(async () => {
    const [now] = await pids()
    return now !== undefined && now.pid !== old!.pid
  })
  // The worker polls once for the new connection and once for the hint.
  await until(() => looks > before)
  await systemClock.sleep(500)
  const reconnected = looks
  await hint(order.trackingId)
  await until(() => looks > reconnected)
  expect(failures.length).toBeGreaterThan(0)
})

it('a hint reaches another process with its kind', async () => {
  const heard: (WorkHint | undefined)[] = []
  const hearing = listenForHints(url, (kind) => heard.push(kind), { clock: systemClock, failed })
  await until(() => heard.length > 0)
  const wake = hintWorkers(apiDatabase, failed)
  for (const kind of ['payment', 'leaf', 'leaf', 'deposit'] as const) wake(kind)
  await until(() => heard.length >= 4)
  // The two hints `leaf` arrived while another hint was being sent, so they were sent as one hint.
  expect(heard.slice(1)).toEqual(['payment', 'leaf', 'deposit'])
  await apiDatabase.query(`SELECT pg_notify('sotto_deposit_hint', '')`, [])
  await until(() => heard.length >= 5)
  expect(heard.at(-1)).toBeUndefined()
  await hearing.close()
})

it('simultaneous hints cause fewer polls than hints', async () => {
  const { order } = await placed(stack, solSend(stack))
  await systemClock.sleep(500)
  const quiet = looks
  await hint('tr_AAAAAAAAAAAAAAAAAAAAAA')
  await systemClock.sleep(500)
  expect(looks).toBe(quiet)
  await Promise.all(Array.from({ length: 50 }, () => hint(order.trackingId)))
  await until(() => looks > quiet)
  await systemClock.sleep(1_000)
  expect(looks - quiet).toBeLessThan(50)
})
