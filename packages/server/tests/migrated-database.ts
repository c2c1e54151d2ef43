import { openPostgres } from '../src/adapters/store/postgres.ts'
import type { Database } from '../src/adapters/store/sql.ts'
import { sharedPostgres } from './shared-postgres.ts'

/**
 * A new database with every migration, which is dropped when it is closed. The tests' databases are on one shared
 * PostgreSQL. Outside of the tests, each such database gets its own PostgreSQL.
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
export async function newDatabase(): Promise<{
  readonly url: string
  readonly release: () => Promise<unknown>
}> {
  const postgres = await sharedPostgres()
  return { url: await postgres.createMigrated(), release: postgres.stop }
}
