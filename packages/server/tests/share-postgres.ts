import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StartedPostgres } from './start-postgres.ts'

/**
 * The environment variable with the URL at which a test requests a database. Its name doesn't start with `SOTTO_`,
 * because the service refuses unknown names with that prefix.
 */
export const SHARED_POSTGRES = 'TEST_POSTGRES'

/**
 * Runs once before all tests. It provides one PostgreSQL for the tests that need only a database and don't control the
 * server. PostgreSQL starts at the first request. `POST /migrated` and `POST /empty` create a database and return its
 * URL. `DELETE /<name>` drops the database.
 */
export default async function sharePostgres(): Promise<() => Promise<void>> {
  let started: Promise<StartedPostgres> | undefined
  const start = async () => {
    const { FAST, startPostgres } = await import('./start-postgres.ts')
    return startPostgres(FAST)
  }
  const server = createServer((request, response) => {
    started ??= start()
    const name = request.url?.slice(1) ?? ''
    const isMade = request.method === 'POST'
    const answered = isMade ? create(started, name) : drop(started, name)
    answered.then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.env[SHARED_POSTGRES] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return async () => {
    server.closeAllConnections()
    server.close()
    await (await started)?.stop()
  }
}

async function create(started: Promise<StartedPostgres>, kind: string): Promise<string> {
  const postgres = await started
  return kind === 'migrated' ? postgres.createMigrated() : postgres.createDatabase()
}

async function drop(started: Promise<StartedPostgres>, name: string): Promise<string> {
  await (await started).drop(name)
  return ''
}
