import { fileURLToPath } from 'node:url'
import { systemClock } from '../clock/system-clock.ts'
import { MigrationError, readMigrations, type Migration } from './migration-files.ts'
import { assertBeside, assertKnown, type Applied } from './migration-rules.ts'
import type { Database, Sql } from './sql.ts'

export { MigrationError } from './migration-files.ts'

const FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url))
// An arbitrary number that identifies a lock. With this lock, processes that start at the same time migrate one after
// another.
const ADVISORY_LOCK = 7_318_349_394_477_056n

/**
 * Maximum wait for a table's lock. While a migration waits for a table, all new queries of the table wait for the
 * migration. The limit is shorter than clients' timeouts. It is also shorter than one second: the database checks for
 * deadlocks after one second, and may then abort another transaction.
 */
const LOCK_WITHIN_MS = 250
const LOCK_PAUSE_MS = 250
/**
 * Number of tries. Together they take two minutes. No transaction that serves a request locks a table for that long.
 */
const LOCK_TRIES = 240
const LOCK_NOT_AVAILABLE = '55P03'

/** `beside_others` if other processes may use the database during the migration. */
export type Company = 'alone' | 'beside_others'

async function readApplied(sql: Sql): Promise<Applied[]> {
  await sql.script(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(),
       works_beside text NOT NULL)`,
  )
  return sql.query<Applied>('SELECT name, sha256, works_beside FROM schema_migrations', [])
}

async function apply(sql: Sql, { name, text, sha256, worksBeside }: Migration): Promise<void> {
  await sql.script(text)
  await sql.query(
    'INSERT INTO schema_migrations (name, sha256, works_beside) VALUES ($1, $2, $3)',
    [name, sha256, worksBeside],
  )
}

function migrateOnce(
  database: Database,
  migrations: readonly Migration[],
  company: Company,
): Promise<string[]> {
  return database.transaction(async (sql) => {
    await sql.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK])
    await sql.script(`SET LOCAL lock_timeout = ${LOCK_WITHIN_MS}`)
    const applied = await readApplied(sql)
    const names = new Set(applied.map(({ name }) => name))
    const pending = migrations.filter(({ name }) => !names.has(name))
    assertKnown(applied, migrations, pending)
    if (company === 'beside_others') assertBeside(applied, pending)
    for (const migration of pending) await apply(sql, migration)
    return pending.map(({ name }) => name)
  }, 'long')
}

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE

/**
 * Migrates the schema to this version, completely or not at all. A further call does nothing, and several processes may
 * call it at the same time. If a table is in use, the migration is cancelled and repeated. So other queries don't wait
 * long for it. Returns the names of the migrations that ran.
 *
 * @throws MigrationError if an applied migration was changed or is incompatible, or if a table stays in use. Also
 * throws it if other processes may run and a pending migration would break them (docs/deployment/replicas.md).
 */
export async function migrate(
  database: Database,
  folder = FOLDER,
  company: Company = 'alone',
): Promise<string[]> {
  const migrations = await readMigrations(folder)
  for (let tries = 1; ; tries += 1) {
    try {
      return await migrateOnce(database, migrations, company)
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      if (tries === LOCK_TRIES) {
        throw new MigrationError(
          'a table to migrate was in use the whole time; try again when the service is less busy',
          { cause: error },
        )
      }
    }
    await systemClock.sleep(LOCK_PAUSE_MS)
  }
}
