import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import { migrate } from '../../src/adapters/store/migrate.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { tryRecord } from '../../src/adapters/store/settlement/record-batch.ts'
import type { Database, Sql } from '../../src/adapters/store/sql.ts'
import { startPostgres, type StartedPostgres } from '../start-postgres.ts'
import { startRelay } from './relay.ts'

const CUT_CONNECTIONS = fileURLToPath(new URL('cut-connections.ts', import.meta.url))

let postgres: StartedPostgres
let url: string
beforeAll(async () => {
  postgres = await startPostgres()
  url = await postgres.createDatabase()
})
afterAll(() => postgres.stop())

it('a process survives the loss of connections that are in use', async () => {
  const args = ['--import', 'tsx', CUT_CONNECTIONS, url]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(JSON.parse(stdout)).toEqual({ failed: [true, true, true], rows: [{ seven: 7 }] })
})

it('a query fails in time if the database stops answering', async () => {
  const relay = await startRelay(url)
  const database = openPostgres(relay.url, { answerWithinMs: 500 })
  await database.query('SELECT 1', [])
  relay.silence()
  await expect(database.query('SELECT 1', [])).rejects.toThrow('timeout')
  expect(await database.query('SELECT 7 AS seven', [])).toEqual([{ seven: 7 }])
  const silenced = database.transaction(async (sql) => {
    await sql.query('SELECT 1', [])
    relay.silence()
    await sql.query('SELECT 1', [])
  })
  await expect(silenced).rejects.toThrow('timeout')
  expect(await database.query('SELECT 7 AS seven', [])).toEqual([{ seven: 7 }])
  await database.close()
  await relay.stop()
})

it('a migration may exceed the time limit of a statement', async () => {
  const database = openPostgres(url, { answerWithinMs: 500 })
  const slow = async (sql: Sql) => sql.query('SELECT pg_sleep(1)', [])
  await expect(database.transaction(slow)).rejects.toThrow('timeout')
  const folder = await mkdtemp(join(tmpdir(), 'sotto-slow-'))
  const most = "current_setting('statement_timeout') AS most"
  await writeFile(
    join(folder, '0001_slow.sql'),
    `CREATE TABLE slow AS SELECT ${most}, pg_sleep(1)::text`,
  )
  await migrate(database, folder)
  expect(await database.query('SELECT most FROM slow', [])).toEqual([{ most: '0' }])
  expect(await database.query(`SELECT ${most}`, [])).toEqual([{ most: '30s' }])
  await database.close()
})

it('only a rescan is recorded without the time limit', async () => {
  const asked: unknown[] = []
  const transaction: Database['transaction'] = async (work, length) => {
    asked.push(length)
    return work({ query: async () => [], script: async () => undefined })
  }
  const database = { ...openPostgres(url), transaction }
  const head = { slot: 1n, blockHeight: 1n, unixSeconds: unixSeconds(1n), nextLeaf: 0n }
  const step = { from: 0n, head, keep: 0 }
  for (const isRescan of [true, false]) {
    await tryRecord(database, { ...step, isRescan, leaves: [], deposits: [] }, [], 0)
  }
  expect(asked).toEqual(['long', 'short'])
})
