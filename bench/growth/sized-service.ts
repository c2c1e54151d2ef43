import { randomBytes, randomInt } from 'node:crypto'
import { Client } from 'pg'
import { encodeTrackingId } from '../../packages/server/src/domain/tracking-id.ts'
import type { Ground } from '../ground/open-ground.ts'
import { launch } from '../http/launch.ts'
import { statusShot, Traffic } from '../http/traffic.ts'
import type { Shot } from '../load/target.ts'
import { openFollower } from './follower.ts'
import { seedDatabase } from './seed-database.ts'

/** The four measured times in milliseconds, one for each kind of work. */
export interface Timed {
  readonly order: number
  readonly status: number
  readonly record: number
  readonly look: number
}

/** The service on a database of some size, with a follower. */
export interface SizedService {
  readonly size: number
  readonly measure: () => Promise<Timed>
  readonly close: () => Promise<void>
}

export interface SizedOptions {
  readonly ground: Ground
  readonly folder: string
  readonly keys: string
  readonly domain: Uint8Array
  readonly size: number
}

/** The age of the seeded orders. It is longer than their retention time of one day. */
const DAYS_PAST_MS = 3 * 86_400_000
/** Number of seeded orders whose status is requested. The status of new orders is requested too. */
const OLD = 500

async function someIds(url: string): Promise<Uint8Array[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const least = randomBytes(16)
  const query = `(SELECT id FROM orders WHERE id >= $1 ORDER BY id LIMIT ${OLD}) UNION ALL
    (SELECT id FROM orders WHERE id < $1 ORDER BY id DESC LIMIT ${OLD}) LIMIT ${OLD}`
  const { rows } = await client.query<{ id: Uint8Array }>(query, [least])
  await client.end()
  return rows.map(({ id }) => id)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

/** Seeds a database, and starts the API and a follower on it. */
export async function openSized(options: SizedOptions): Promise<SizedService> {
  const { ground, folder, size } = options
  const settings = ground.settings.PostgreSQL ?? {}
  const like = settings['SOTTO_DATABASE_URL'] ?? ''
  const assets = [ground.setup.usdc]
  const endMs = Date.now() - DAYS_PAST_MS
  const databaseUrl = await seedDatabase(like, { count: size, assets, endMs })
  const old = await someIds(databaseUrl)
  const service = await launch<{ baseUrl: string }>({
    main: 'packages/server/src/main.ts',
    args: ['serve', '--json', '--role', 'api'],
    env: { ...settings, SOTTO_DATABASE_URL: databaseUrl },
    logFile: `${folder}/service-${size}.log`,
  })
  const { keys, domain } = options
  const program = settings['SOTTO_PROGRAM_ID'] ?? ''
  const follower = await openFollower({ databaseUrl, keys, program, domain, leaves: size })
  const { baseUrl } = service.ready
  const traffic = new Traffic({ baseUrl, setup: ground.setup })
  const ask = async ({ path }: Shot) => {
    const answer = await fetch(baseUrl + path, { headers: traffic.headers })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    await answer.text()
  }
  return {
    size,
    measure: async () => {
      const shot = await traffic.newOrder()
      let trackingId = ''
      const order = await timed(async () => {
        trackingId = (await traffic.order(shot)).order.trackingId
      })
      const oldId = old[randomInt(old.length)]
      if (oldId === undefined) throw new Error('the database holds no orders')
      const newStatus = await timed(() => ask(statusShot(trackingId)))
      const oldStatus = await timed(() => ask(statusShot(encodeTrackingId(oldId))))
      const status = (newStatus + oldStatus) / 2
      const record = await follower.record(trackingId)
      return { order, status, record, look: await follower.look() }
    },
    close: async () => {
      await service.stop()
      await follower.close()
    },
  }
}
