import { Registry } from 'prom-client'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { databaseMetrics } from '../../src/adapters/metrics/database-metrics.ts'
import { listenOn } from '../../src/adapters/store/listen.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { startPostgres, type StartedPostgres } from '../start-postgres.ts'

let postgres: StartedPostgres
let direct: Database
let url: string
beforeAll(async () => {
  postgres = await startPostgres()
  direct = openPostgres(await postgres.createDatabase())
})
beforeEach(async () => {
  url = await postgres.createMigrated()
})
afterAll(async () => {
  await direct.close()
  await postgres.stop()
})

/**
 * Sets whether new sessions of the database can write. A session that can't write represents a session on another
 * server, to which a proxy connects after a failover.
 */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  const value = isReadOnly ? 'on' : 'off'
  await direct.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`, [])
}

const CONNECTIONS = 4
const together = <T>(work: () => Promise<T>) =>
  Promise.all(Array.from({ length: CONNECTIONS }, () => work()))

const pidOf = async (database: Database) => {
  const query = 'SELECT pg_backend_pid() AS pid, pg_sleep(0.1)::text'
  const [row] = await database.query<{ pid: number }>(query, [])
  return row?.pid
}

/**
 * Makes a session read-only, as if its server were replaced by another server. Returns the id of the session's process.
 */
const demote = async (database: Database) => {
  const query =
    "SELECT pg_backend_pid() AS pid, set_config('default_transaction_read_only', 'on', false), pg_sleep(0.1)::text"
  const [row] = await database.query<{ pid: number }>(query, [])
  return row?.pid
}

const write = (database: Database) => database.query('UPDATE health SET books_agree = true', [])

/** Writes as soon as the process has noticed that the server is writable. That takes up to half a second. */
async function writeSoon(database: Database): Promise<void> {
  const endMs = performance.now() + 2_000
  while (performance.now() < endMs) {
    try {
      await write(database)
      return
    } catch (error) {
      expect(error).toMatchObject({ code: '25006' })
      await sleep(20)
    }
  }
  await write(database)
}

/**
 * The number of sessions that were opened in the database. The server counts a session only after the session has
 * ended.
 */
async function sessions(): Promise<number> {
  await sleep(300)
  const query = 'SELECT sessions::int AS count FROM pg_stat_database WHERE datname = $1'
  const [row] = await direct.query<{ count: number }>(query, [new URL(url).pathname.slice(1)])
  return row?.count ?? 0
}

it('no statement runs on a server that is read-only when the connection opens', async () => {
  await setReadOnly(true)
  const database = openPostgres(url)
  await expect(database.query('SELECT 1', [])).rejects.toMatchObject({ code: '25006' })
  await setReadOnly(false)
  await writeSoon(database)
  await database.close()
})

it('a process opens few connections to a server that stays read-only', async () => {
  await setReadOnly(true)
  const database = openPostgres(url)
  const before = await sessions()
  const endMs = performance.now() + 2_000
  const codes = new Set<unknown>()
  await together(async () => {
    while (performance.now() < endMs) {
      await database.query('SELECT 1', []).catch(({ code }: { code?: unknown }) => codes.add(code))
      await sleep(5)
    }
  })
  expect([...codes]).toEqual(['25006'])
  // All callers may connect at first. Then one of them connects every half second.
  expect((await sessions()) - before).toBeLessThanOrEqual(CONNECTIONS + 4)
  await setReadOnly(false)
  await writeSoon(database)
  await together(() => write(database))
  await database.close()
})

it('connections to a writable server stay in use although a new connection is refused', async () => {
  const database = openPostgres(url)
  const pid = await pidOf(database)
  await setReadOnly(true)
  const both = await Promise.allSettled([pidOf(database), pidOf(database)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await pidOf(database)).toBe(pid)
  await database.close()
})

it('after one failed write, no statement reaches the server that became read-only', async () => {
  const database = openPostgres(url)
  const old = await together(() => demote(database))
  expect(new Set(old).size).toBe(CONNECTIONS)
  await expect(write(database)).rejects.toMatchObject({ code: '25006' })
  const fresh = await together(() => pidOf(database))
  expect(fresh.filter((pid) => old.includes(pid))).toEqual([])
  await together(() => write(database))
  await database.close()
})

it('a transaction that fails on a read-only server closes the connection', async () => {
  const database = openPostgres(url)
  const old = await demote(database)
  const inTransaction = () =>
    database.transaction((sql) => sql.query('UPDATE health SET books_agree = false', []))
  await expect(inTransaction()).rejects.toMatchObject({ code: '25006' })
  expect(await pidOf(database)).not.toBe(old)
  await inTransaction()
  await database.close()
})

it.each(['57P01', '57P02', '57P03'])('a connection that fails with %s is closed', async (code) => {
  const database = openPostgres(url)
  const pid = await pidOf(database)
  const fail = `DO $$ BEGIN RAISE EXCEPTION 'ends' USING ERRCODE = '${code}'; END $$`
  await expect(database.script(fail)).rejects.toMatchObject({ code })
  expect(await pidOf(database)).not.toBe(pid)
  await database.close()
})

it('a connection that fails for another reason stays open', async () => {
  const database = openPostgres(url)
  const pid = await pidOf(database)
  await expect(database.query('SELECT 1 / 0', [])).rejects.toMatchObject({ code: '22012' })
  expect(await pidOf(database)).toBe(pid)
  await database.close()
})

it('a connection is replaced when it is old, even if nothing fails', async () => {
  const database = openPostgres(url, { connectionLifetimeSeconds: 1 })
  const pid = await pidOf(database)
  expect(await pidOf(database)).toBe(pid)
  await sleep(1_200)
  expect(await pidOf(database)).not.toBe(pid)
  await database.close()
})

it('sotto_database_up is 0 while the server is read-only', async () => {
  const database = openPostgres(url, { connectionsMax: 1 })
  const registry = new Registry()
  let nowMs = 1_760_000_000_000
  databaseMetrics(registry, database, { nowMs: () => nowMs, sleep: systemClock.sleep })
  expect(await registry.metrics()).toMatch(/^sotto_database_up 1$/m)
  await demote(database)
  nowMs += 10_000
  const text = await registry.metrics()
  expect(text).toMatch(/^sotto_database_up 0$/m)
  expect(text).toMatch(/^sotto_orders_halted 0$/m)
  await expect(write(database)).rejects.toMatchObject({ code: '25006' })
  nowMs += 10_000
  expect(await registry.metrics()).toMatch(/^sotto_database_up 1$/m)
  await database.close()
})

it('a listener moves to a writable server', async () => {
  await setReadOnly(true)
  const failures: unknown[] = []
  let connections = 0
  const heard: string[] = []
  const listener = listenOn(
    url,
    'test_channel',
    { hear: (payload) => heard.push(payload), connected: () => (connections += 1) },
    { clock: systemClock, failed: (error) => failures.push(error), checkMs: 100 },
  )
  while (failures.length === 0) await sleep(20)
  expect(failures[0]).toMatchObject({ code: '25006' })
  expect(connections).toBe(0)
  await setReadOnly(false)
  while (connections === 0) await sleep(20)
  const database = openPostgres(url)
  await database.query("SELECT pg_notify('test_channel', 'hello')", [])
  while (heard.length === 0) await sleep(20)
  expect(heard).toEqual(['hello'])
  await database.close()
  await listener.close()
})

it('a listener leaves a server that has become read-only', async () => {
  const failures: unknown[] = []
  let connections = 0
  const listener = listenOn(
    url,
    'test_channel',
    { hear: () => undefined, connected: () => (connections += 1) },
    { clock: systemClock, failed: (error) => failures.push(error), checkMs: 100 },
  )
  while (connections === 0) await sleep(20)
  // This setting also takes effect in sessions that are already open.
  await direct.query('ALTER SYSTEM SET default_transaction_read_only = on', [])
  await direct.query('SELECT pg_reload_conf()', [])
  while (failures.length === 0) await sleep(20)
  expect(failures[0]).toMatchObject({ code: '25006' })
  await direct.query('ALTER SYSTEM RESET default_transaction_read_only', [])
  await direct.query('SELECT pg_reload_conf()', [])
  while (connections === 1) await sleep(20)
  await listener.close()
})
