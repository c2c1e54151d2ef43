import { openPostgres } from '../src/adapters/store/postgres.ts'
import type { Database } from '../src/adapters/store/sql.ts'
import { SHARED_POSTGRES } from './share-postgres.ts'
import { startPostgres } from './start-postgres.ts'

/**
 * A new database with every migration; it is dropped when it is closed. It is on the PostgreSQL that all tests share,
 * or outside of the tests on its own.
 */
export async function openMigrated(): Promise<Database> {
  const { url, release } = await newDatabase()
  const database = openPostgres(url)
  return {
    ...database,
    close: async () => {
      await database.close()
      await release()
    },
  }
}

/** The URL of a migrated database, for a separate process, and the function that drops it. */
export function newDatabase(): Promise<{
  readonly url: string
  readonly release: () => Promise<unknown>
}> {
  const shared = process.env[SHARED_POSTGRES]
  return shared === undefined ? onItsOwn() : onShared(shared)
}

async function onItsOwn() {
  const postgres = await startPostgres()
  return { url: await postgres.createMigrated(), release: postgres.stop }
}

async function onShared(shared: string) {
  const url = await ask(shared, 'GET')
  return { url, release: () => ask(shared + new URL(url).pathname, 'DELETE') }
}

async function ask(url: string, method: string): Promise<string> {
  const response = await fetch(url, { method })
  const text = await response.text()
  if (!response.ok) throw new Error(`the shared PostgreSQL failed: ${text}`)
  return text
}
