import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
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

it('a process outlives the loss of connections that are in use, and goes on with new ones', async () => {
  const args = ['--import', 'tsx', CUT_CONNECTIONS, url]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(JSON.parse(stdout)).toEqual({ failed: [true, true, true], rows: [{ seven: 7 }] })
})

it('gives up on a database that falls silent, and goes on with a new connection', async () => {
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
