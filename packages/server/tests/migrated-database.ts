import { openPostgres } from '../src/adapters/store/postgres.ts'
import type { Database } from '../src/adapters/store/sql.ts'
import { sharedPostgres } from './shared-postgres.ts'

/**
 * Opens a new database with every migration. The database is dropped when it is closed. In the tests, these databases
 * are on one shared PostgreSQL. Outside of the tests, each of them gets its own PostgreSQL.
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

/** Creates a migrated database for a separate process. Returns its URL and the function that drops it. */
export async function newDatabase(): Promise<{
  readonly url: string
  readonly release: () => Promise<unknown>
}> {
  const postgres = await sharedPostgres()
  return { url: await postgres.createMigrated(), release: postgres.stop }
}
