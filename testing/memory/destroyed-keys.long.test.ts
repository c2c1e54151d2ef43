import { NATIVE_MINT } from '@sotto/protocol'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openFileSecrets } from '../../packages/server/src/adapters/keystore/file-secrets.ts'
import { systemRandom } from '../../packages/server/src/adapters/random/system-random.ts'
import { startPostgres } from '../../packages/server/tests/start-postgres.ts'
import { createSottoClient } from '../../packages/sdk/server.ts'
import { pay, place } from '../replicas/customer.ts'
import { followOrder } from '../replicas/follow-order.ts'
import { BRISK, SLOT_MS } from '../stage/brisk-settings.ts'
import { freePort } from '../stage/free-port.ts'
import { openGround, undoAll, type Ground, type Undo } from '../stage/open-ground.ts'
import { ServiceProcess } from '../stage/service-process.ts'
import {
  startOtlpReceiver,
  type OtlpReceiver,
} from '../../packages/server/tests/tracing/otlp-receiver.ts'
import { filesUnder, foundIn } from './database-places.ts'
import { keyNeedles } from './key-needles.ts'
import { searchMemory, withChildren, type Needle } from './process-memory.ts'

const TIME_LIMIT_MS = 300_000
const LEAST_READ_BYTES = 50_000_000
/** The documented longest time until a destroyed key has left all processes, if they check once a second, as here. */
const WITHIN_MS = 60_000

const undo: Undo = []
let folder: string
let ground: Ground
let api: ServiceProcess
let worker: ServiceProcess
let baseUrl: string
let collector: OtlpReceiver
const metricsPorts: number[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-memory-'))
  const openDatabase = async () => {
    const postgres = await startPostgres()
    undo.push(postgres.stop)
    return postgres.createDatabase()
  }
  ground = await openGround({ folder, slotMs: SLOT_MS, openDatabase }, undo)
  collector = await startOtlpReceiver()
  undo.push(collector.stop)
  await mkdir(join(folder, 'tmp'))
  const start = async (role: 'api' | 'worker') => {
    const port = String(await freePort())
    const metricsPort = await freePort()
    metricsPorts.push(metricsPort)
    const env = {
      ...{ ...ground.env, ...BRISK, SOTTO_PORT: port, SOTTO_KEY_CHECK_SECONDS: '1' },
      ...{ SOTTO_METRICS_PORT: String(metricsPort), SOTTO_TRACING_URL: collector.url },
      ...{ SOTTO_TRACING_PERCENT: '100', TMPDIR: join(folder, 'tmp') },
    }
    const one = new ServiceProcess({ role, env, logFile: join(folder, `${role}.log`) })
    undo.push(() => one.stop())
    return { one, ready: await one.start() }
  }
  const started = await start('api')
  baseUrl = started.ready.baseUrl ?? ''
  api = started.one
  worker = (await start('worker')).one
}, TIME_LIMIT_MS)
afterAll(async () => {
  await undoAll(undo)
  await rm(folder, { recursive: true, force: true })
}, TIME_LIMIT_MS)

/** The output of the processes, by place. */
async function outputs(): Promise<ReadonlyMap<string, readonly Buffer[]>> {
  const files = await filesUnder(folder)
  const bytesOf = (is: (path: string) => boolean) =>
    files.filter(({ path }) => is(path)).map(({ bytes }) => bytes)
  const scraped = await Promise.all(
    metricsPorts.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  )
  expect(scraped.every((text) => text.includes('sotto_'))).toBe(true)
  return new Map([
    ['logs', bytesOf((path) => path.endsWith('.log'))],
    ['traces', collector.bodies.map((body) => Buffer.from(body))],
    ['metrics', scraped.map((text) => Buffer.from(text))],
    ['temporary files', bytesOf((path) => path.startsWith(join(folder, 'tmp')))],
    ['file names', [Buffer.from(files.map(({ path }) => path).join('\n'))]],
  ])
}

it(
  'no process’s memory contains a destroyed epoch key or anything derived from it',
  async () => {
    const client = createSottoClient({ baseUrl, apiKey: ground.setup.apiKey })
    const drawn = {
      ...({ index: 0, kind: 'sol', fate: 'prompt', amount: 10_000_001n } as const),
      ...{ source: NATIVE_MINT, destination: NATIVE_MINT, isExactOut: false, feeBps: undefined },
    }
    const ordered = await place({ ground, client }, drawn)
    await pay({ ground, client }, ordered)
    await followOrder(client, ordered)

    const keys = ground.env['SOTTO_KEYS'] ?? ''
    const secrets = openFileSecrets(keys, systemRandom)
    const epochs = await secrets.list()
    const orderId = Buffer.from(ordered.order.trackingId.slice(3), 'base64url')
    const needles: Needle[] = []
    for (const epoch of epochs) {
      const key = await readFile(join(keys, 'epochs', `${epoch}.key`))
      needles.push(...keyNeedles(key, [orderId]))
    }
    const processes = { api: api.pid ?? 0, worker: worker.pid ?? 0 }
    for (const pid of Object.values(processes)) {
      const { names, bytesRead } = searchMemory(pid, needles)
      expect(names).toEqual(
        expect.arrayContaining(['key, first half', 'pseudonym inner block, first half']),
      )
      expect(bytesRead).toBeGreaterThan(LEAST_READ_BYTES)
    }

    // Destroys the key as another process would, without any request to these two.
    for (const epoch of epochs) await secrets.destroy(epoch)
    const search = () =>
      Object.values(processes)
        .flatMap(withChildren)
        .map((pid) => searchMemory(pid, needles))
    expect(search().length).toBeGreaterThan(2)
    const deadlineMs = Date.now() + WITHIN_MS
    let found = search()
    while (found.some(({ names }) => names.length > 0) && Date.now() < deadlineMs) {
      await sleep(1_000)
      found = search()
    }
    expect(found.map(({ names }) => names)).toEqual(found.map(() => []))
    for (const { bytesRead } of found) expect(bytesRead).toBeGreaterThan(LEAST_READ_BYTES / 5)
    expect([api.pid, worker.pid]).toEqual(Object.values(processes))
    const foundAt = async () =>
      [...(await outputs())].map(
        ([place, contents]) => [place, foundIn(contents, needles)] as const,
      )
    expect((await foundAt()).filter(([, names]) => names.length > 0)).toEqual([])
    expect(collector.spans.length).toBeGreaterThan(0)
    // Plants the key in every place, to show that the search would find it.
    const text = needles.find(({ name }) => name === 'key as hex')?.bytes.toString() ?? ''
    await mkdir(join(folder, 'tmp', text))
    for (const file of [join('tmp', text, text), 'api.log'])
      await writeFile(join(folder, file), text)
    collector.bodies.push(text)
    const planted = (await foundAt()).filter(([, names]) => names.includes('key as hex'))
    expect(planted.map(([place]) => place)).toEqual([
      ...['logs', 'traces', 'temporary files', 'file names'],
    ])
  },
  TIME_LIMIT_MS,
)
