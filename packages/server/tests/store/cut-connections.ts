import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Sql } from '../../src/adapters/store/sql.ts'
import { startRelay } from './relay.ts'

/** Milliseconds within which this process notices that an idle connection is lost. */
const NEWS_MS = 200

/**
 * Loses connections that are in use, in each possible way. This code runs as a separate process, because a crash must
 * not end the tests. Prints which work failed, and the result of a later query.
 */
const [databaseUrl] = process.argv.slice(2) as [string]
const relay = await startRelay(databaseUrl)
const direct = openPostgres(databaseUrl)
const database = openPostgres(relay.url)

const hasFailed = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    () => true,
  )

async function waitUntilSleeping(): Promise<void> {
  const query = `SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)'`
  while ((await direct.query(query, [])).length === 0) await sleep(20)
}

/** Runs a transaction whose connection is lost between two of its statements. */
const between = (lose: (sql: Sql) => Promise<void>): Promise<unknown> =>
  database.transaction(async (sql) => {
    await sql.query('SELECT 1', [])
    await lose(sql)
    await sleep(NEWS_MS)
    await sql.query('SELECT 1', [])
  })

async function cut(): Promise<void> {
  relay.cut()
}

async function terminate(sql: Sql): Promise<void> {
  const [row] = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid', [])
  await direct.query('SELECT pg_terminate_backend($1)', [row?.pid])
}

const asleep = hasFailed(database.query('SELECT pg_sleep(60)', []))
await waitUntilSleeping()
relay.cut()
const failed = [await asleep, await hasFailed(between(cut)), await hasFailed(between(terminate))]
const rows = await database.query('SELECT 7 AS seven', [])
process.stdout.write(JSON.stringify({ failed, rows }))
await database.close()
await direct.close()
await relay.stop()
