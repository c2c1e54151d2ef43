import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startPostgres, type StartedPostgres } from '../start-postgres.ts'

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
