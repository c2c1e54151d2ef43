import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Database, Sql } from './sql.ts'

const FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url))
// Any fixed number of ours: processes that start together migrate one after the other.
const ADVISORY_LOCK = 7_318_349_394_477_056n
const FILE = /^([0-9]{4})_[a-z0-9_]+\.sql$/

/** The database's schema can't be brought to what this version of the service needs. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

interface Migration {
  readonly name: string
  readonly text: string
  readonly sha256: string
}

/** The migrations of a folder in ascending order. @throws MigrationError where two have one number. */
async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => FILE.test(name)).sort()
  const numbers = names.map((name) => FILE.exec(name)?.[1])
  const twice = names.find((_, index) => numbers[index] === numbers[index - 1])
  if (twice !== undefined) throw new MigrationError(`another migration has the number of ${twice}`)
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(`${folder}/${name}`, 'utf8')
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function readApplied(sql: Sql): Promise<Map<string, string>> {
  await sql.script(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  )
  const rows = await sql.query<{ name: string; sha256: string }>(
    'SELECT name, sha256 FROM schema_migrations',
    [],
  )
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]))
}

function assertKnown(applied: Map<string, string>, migrations: readonly Migration[]): void {
  const known = new Map(migrations.map(({ name, sha256 }) => [name, sha256]))
  for (const [name, sha256] of applied) {
    const expected = known.get(name)
    if (expected === undefined) {
      throw new MigrationError(`the database was migrated by a newer version (${name}); upgrade`)
    }
    if (expected !== sha256) {
      throw new MigrationError(
        `migration ${name} was changed after it ran on this database; restore the released file`,
      )
    }
  }
}

/**
 * Brings the schema up to date, all or nothing; repeatable, and safe from several processes at once.
 * Returns the names of the migrations that ran.
 *
 * @throws MigrationError where an applied migration is unknown or was changed.
 */
export async function migrate(database: Database, folder = FOLDER): Promise<string[]> {
  const migrations = await readMigrations(folder)
  return database.transaction(async (sql) => {
    await sql.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK])
    const applied = await readApplied(sql)
    assertKnown(applied, migrations)
    const pending = migrations.filter(({ name }) => !applied.has(name))
    for (const { name, text, sha256 } of pending) {
      await sql.script(text)
      await sql.query('INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)', [
        name,
        sha256,
      ])
    }
    return pending.map(({ name }) => name)
  }, 'long')
}
