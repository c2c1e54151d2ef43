import { openPostgres } from '../src/adapters/store/postgres.ts'
import type { Database } from '../src/adapters/store/sql.ts'
import { startPostgres } from './start-postgres.ts'

/** A new database with every migration on a PostgreSQL of its own, which ends when it is closed. */
export async function openMigrated(): Promise<Database> {
  const postgres = await startPostgres()
  const database = openPostgres(await postgres.createMigrated())
  return {
    ...database,
    close: async () => {
      await database.close()
      await postgres.stop()
    },
  }
}
