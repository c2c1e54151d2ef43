import { NATIVE_MINT } from '@sotto/protocol'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFileSecrets } from '../../packages/server/src/adapters/keystore/file-secrets.ts'
import { openPglite } from '../../packages/server/src/adapters/store/pglite.ts'
import { openPostgres } from '../../packages/server/src/adapters/store/postgres.ts'
import { systemRandom } from '../../packages/server/src/adapters/random/system-random.ts'
import type { KeptSecrets } from '../../packages/server/src/ports/secrets.ts'
import { startPostgres } from '../../packages/server/tests/start-postgres.ts'
import { createSottoClient } from '../../packages/sdk/server.ts'
import { pay, place } from '../replicas/customer.ts'
import { followOrder } from '../replicas/follow-order.ts'
import { BRISK, SLOT_MS } from '../stage/brisk-settings.ts'
import { freePort } from '../stage/free-port.ts'
import {
  openGround,
  undoAll,
  type Ground,
  type GroundOptions,
  type Undo,
} from '../stage/open-ground.ts'
import { ServiceProcess } from '../stage/service-process.ts'
import {
  startOtlpReceiver,
  type OtlpReceiver,
} from '../../packages/server/tests/tracing/otlp-receiver.ts'
import { searchCore, searchHolder } from './core-of-crash.ts'
import { DATABASE_PLACES, filesUnder, foundIn, readPlaces } from './database-places.ts'
import { keyNeedles } from './key-needles.ts'
import { searchMemory, withChildren, type Needle } from './process-memory.ts'
import { HUNG_MS } from '../patience/hung.ts'

const TIME_LIMIT_MS = 4 * HUNG_MS
const LEAST_READ_BYTES = 50_000_000
/**
 * The documented maximum time until a destroyed key has left all processes. It applies to processes that check for
 * destroyed keys once a second, as they do here.
 */
const WITHIN_MS = 60_000

type Role = 'api' | 'worker' | 'api,worker'

/**
 * The processes for each kind of database, with the roles of each process. An embedded database allows only one
 * process, and runs in that process's memory.
 */
const KINDS: readonly { readonly kind: string; readonly roles: readonly Role[] }[] = [
  { kind: 'PostgreSQL', roles: ['api', 'worker'] },
  { kind: 'PGlite', roles: ['api,worker'] },
]

interface Watched {
  readonly folder: string
  readonly ground: Ground
  readonly baseUrl: string
  readonly processes: readonly ServiceProcess[]
  readonly metricsPorts: readonly number[]
  readonly collector: OtlpReceiver
}

async function startPostgresDatabase(undo: Undo): Promise<string> {
  const postgres = await startPostgres()
  undo.push(postgres.stop)
  return postgres.createDatabase()
}

/** Starts a chain, a database, and one process for each of the roles. */
async function startAll(kind: string, roles: readonly Role[], undo: Undo): Promise<Watched> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-memory-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const database: Pick<GroundOptions, 'openDatabase'> =
    kind === 'PGlite' ? {} : { openDatabase: startPostgresDatabase }
  const ground = await openGround({ folder, slotMs: SLOT_MS, ...database }, undo)
  const collector = await startOtlpReceiver()
  undo.push(collector.stop)
  await mkdir(join(folder, 'tmp'))
  const processes: ServiceProcess[] = []
  const metricsPorts: number[] = []
  let baseUrl = ''
  for (const role of roles) {
    const metricsPort = await freePort()
    const env = {
      ...{ ...ground.env, ...BRISK, SOTTO_PORT: String(await freePort()) },
      ...{ SOTTO_METRICS_PORT: String(metricsPort), SOTTO_TRACING_URL: collector.url },
      ...{ SOTTO_TRACING_PERCENT: '100', TMPDIR: join(folder, 'tmp') },
      SOTTO_KEY_CHECK_SECONDS: '1',
    }
    const logFile = join(folder, `service-${processes.length}.log`)
    const one = new ServiceProcess({ role, env, logFile, folder })
    undo.push(() => one.stop())
    baseUrl = (await one.start()).baseUrl ?? baseUrl
    processes.push(one)
    metricsPorts.push(metricsPort)
  }
  return { folder, ground, baseUrl, processes, metricsPorts, collector }
}

/** The output of the processes, by place. */
async function outputs({
  folder,
  metricsPorts,
  collector,
}: Watched): Promise<ReadonlyMap<string, readonly Buffer[]>> {
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

/**
 * The content of the database's places, and of the folder with the epochs' keys. An embedded database can be opened
 * only after its process has stopped.
 */
async function databasePlaces({
  ground: { databaseUrl, env },
}: Watched): Promise<ReadonlyMap<string, readonly Buffer[]>> {
  const data = env['SOTTO_DATA'] ?? ''
  const database = databaseUrl === '' ? await openPglite(data) : openPostgres(databaseUrl)
  try {
    const [row] = await database.query<{ folder: string }>(
      `SELECT current_setting('data_directory') AS folder`,
      [],
    )
    const dataFolder = databaseUrl === '' ? join(data, 'database') : (row?.folder ?? '')
    return await readPlaces(database, { dataFolder, keyFolder: env['SOTTO_KEYS'] ?? '' })
  } finally {
    await database.close()
  }
}

/**
 * Makes a transfer and waits until it is final. Returns the keys of all epochs, in the forms in which memory and
 * outputs could contain them.
 */
async function needlesOfTransfer({ ground, baseUrl }: Watched, secrets: KeptSecrets) {
  const client = createSottoClient({ baseUrl, apiKey: ground.setup.apiKey })
  const drawn = {
    ...({ index: 0, kind: 'sol', fate: 'prompt', amount: 10_000_001n } as const),
    ...{ source: NATIVE_MINT, destination: NATIVE_MINT, isExactOut: false, feeBps: undefined },
  }
  const ordered = await place({ ground, client }, drawn)
  await pay({ ground, client }, ordered)
  await followOrder(client, ordered)
  const orderId = Buffer.from(ordered.order.trackingId.slice(3), 'base64url')
  const needles: Needle[] = []
  for (const epoch of await secrets.list()) {
    const key = await readFile(join(ground.env['SOTTO_KEYS'] ?? '', 'epochs', `${epoch}.key`))
    needles.push(...keyNeedles(key, [orderId]))
  }
  return needles
}

/** Writes the key to every output except the metrics, to show that the search would find it there. */
async function plant({ folder, collector }: Watched, needles: readonly Needle[]): Promise<void> {
  const text = needles.find(({ name }) => name === 'key as hex')?.bytes.toString() ?? ''
  await mkdir(join(folder, 'tmp', text))
  for (const file of [join('tmp', text, text), 'service-0.log'])
    await writeFile(join(folder, file), text)
  collector.bodies.push(text)
}

describe.each(KINDS)('on $kind', ({ kind, roles }) => {
  const undo: Undo = []
  let watched: Watched
  beforeAll(async () => {
    watched = await startAll(kind, roles, undo)
  }, TIME_LIMIT_MS)
  afterAll(() => undoAll(undo), TIME_LIMIT_MS)

  it(
    'a thief finds no trace of a destroyed epoch key',
    async () => {
      const { folder, ground, processes, collector } = watched
      const secrets = openFileSecrets(ground.env['SOTTO_KEYS'] ?? '', systemRandom)
      const needles = await needlesOfTransfer(watched, secrets)
      const pids = processes.map(({ pid }) => pid ?? 0)
      for (const pid of pids) {
        const { names, bytesRead } = searchMemory(pid, needles)
        expect(names).toEqual(
          expect.arrayContaining(['key, first half', 'pseudonym inner block, first half']),
        )
        expect(bytesRead).toBeGreaterThan(LEAST_READ_BYTES)
      }

      // Destroys the keys as another process would, without a request to the watched processes.
      for (const epoch of await secrets.list()) await secrets.destroy(epoch)
      const search = () => pids.flatMap(withChildren).map((pid) => searchMemory(pid, needles))
      // The search must also cover the provers, which are child processes.
      expect(search().length).toBeGreaterThan(pids.length)
      const deadlineMs = Date.now() + WITHIN_MS
      let found = search()
      while (found.some(({ names }) => names.length > 0) && Date.now() < deadlineMs) {
        await sleep(1_000)
        found = search()
      }
      expect(found.map(({ names }) => names)).toEqual(found.map(() => []))
      for (const { bytesRead } of found) expect(bytesRead).toBeGreaterThan(LEAST_READ_BYTES / 5)
      expect(processes.map(({ pid }) => pid)).toEqual(pids)
      const foundAt = async () =>
        [...(await outputs(watched))].map(
          ([place, contents]) => [place, foundIn(contents, needles)] as const,
        )
      expect((await foundAt()).filter(([, names]) => names.length > 0)).toEqual([])
      expect(collector.spans.length).toBeGreaterThan(0)

      await plant(watched, needles)
      const planted = (await foundAt()).filter(([, names]) => names.includes('key as hex'))
      expect(planted.map(([place]) => place)).toEqual([
        ...['logs', 'traces', 'temporary files', 'file names'],
      ])

      for (const pid of pids.flatMap(withChildren).reverse()) {
        const { names, bytesRead } = await searchCore(pid, folder, needles)
        expect(names).toEqual([])
        expect(bytesRead).toBeGreaterThan(LEAST_READ_BYTES / 5)
      }
      const [{ bytes: half } = { bytes: Buffer.alloc(0) }] = needles
      expect((await searchHolder(half, needles)).names).toContain('key, first half')

      for (const one of processes) await one.stop()
      const places = await databasePlaces(watched)
      expect([...places].map(([place, contents]) => [place, foundIn(contents, needles)])).toEqual(
        DATABASE_PLACES.map((place) => [place, []]),
      )
    },
    TIME_LIMIT_MS,
  )
})
