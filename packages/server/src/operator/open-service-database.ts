import { migrate } from '../adapters/store/migrate.ts'
import { openPglite } from '../adapters/store/pglite.ts'
import { openPostgres } from '../adapters/store/postgres.ts'
import type { Database } from '../adapters/store/sql.ts'
import type { Config } from '../config.ts'

/** The configured database with its schema brought up to date. */
export async function openServiceDatabase(config: Config): Promise<Database> {
  const { DATABASE_URL, DATA } = config
  const database = DATABASE_URL === undefined ? await openPglite(DATA) : openPostgres(DATABASE_URL)
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
