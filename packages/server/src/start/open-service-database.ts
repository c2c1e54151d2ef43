import { migrate } from '../adapters/store/migrate.ts'
import { openPglite } from '../adapters/store/pglite.ts'
import { openPostgres } from '../adapters/store/postgres.ts'
import type { Database } from '../adapters/store/sql.ts'
import type { Config } from '../config.ts'
import { databaseFailure } from './database-failure.ts'

/** Opens the configured database without migrating it. */
export async function openDatabase({ DATABASE_URL, DATA }: Config): Promise<Database> {
  return DATABASE_URL === undefined ? openPglite(DATA) : openPostgres(DATABASE_URL)
}

/**
 * Opens the configured database and migrates its schema.
 *
 * @throws OperatorError that names the correction of a common fault.
 */
export async function openServiceDatabase(config: Config): Promise<Database> {
  const database = await openDatabase(config)
  try {
    // Only this process uses the embedded database.
    const company = config.DATABASE_URL === undefined ? 'alone' : 'beside_others'
    await migrate(database, undefined, company)
    return database
  } catch (error) {
    await database.close()
    throw databaseFailure(error, config.DATABASE_URL)
  }
}
