import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeSchema } from '../../src/adapters/store/describe-schema.ts'
import { migrate } from '../../src/adapters/store/migrate.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { startPostgres, type StartedPostgres } from '../start-postgres.ts'

const source = (path: string) =>
  fileURLToPath(new URL(`../../src/adapters/store/${path}`, import.meta.url))
const SCHEMA = new URL('../../migrations/schema.sql', import.meta.url)

let postgres: StartedPostgres
let url: string
let database: Database
let folder: string
beforeAll(async () => {
  postgres = await startPostgres()
})
beforeEach(async () => {
  url = await postgres.createDatabase()
  database = openPostgres(url)
  folder = await mkdtemp(join(tmpdir(), 'sotto-migrations-'))
  return () => database.close()
})
afterAll(() => postgres.stop())

const write = (name: string, text: string) => writeFile(join(folder, name), text)

/** Migrates in a separate process and returns the names of the migrations that it ran. */
async function migrateElsewhere(): Promise<string[]> {
  const script = `import { migrate } from ${JSON.stringify(source('migrate.ts'))}
    import { openPostgres } from ${JSON.stringify(source('postgres.ts'))}
    const database = openPostgres(${JSON.stringify(url)})
    console.log(JSON.stringify(await migrate(database, ${JSON.stringify(folder)})))
    await database.close()`
  const args = ['--import', 'tsx', '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as string[]
}

it('only one of several processes migrates if they start together', async () => {
  await write('0001_slow.sql', 'SELECT pg_sleep(2); CREATE TABLE slow (id integer)')
  const ran = await Promise.all([migrateElsewhere(), migrateElsewhere(), migrateElsewhere()])
  expect(ran.flat()).toEqual(['0001_slow.sql'])
  expect(await database.query('SELECT * FROM slow', [])).toEqual([])
})

it('refuses a migration that was edited after it ran', async () => {
  await write('0001_one.sql', 'CREATE TABLE one (id integer)')
  expect(await migrate(database, folder)).toEqual(['0001_one.sql'])
  await write('0001_one.sql', 'CREATE TABLE one (id bigint)')
  await write('0002_two.sql', 'CREATE TABLE two (id integer)')
  await expect(migrate(database, folder)).rejects.toThrow('0001_one.sql was changed after it ran')
  await expect(database.query('SELECT * FROM two', [])).rejects.toThrow('does not exist')
})

it('refuses a database that a newer version has migrated', async () => {
  await write('0001_one.sql', 'CREATE TABLE one (id integer)')
  await migrate(database, folder)
  folder = await mkdtemp(join(tmpdir(), 'sotto-migrations-'))
  await expect(migrate(database, folder)).rejects.toThrow('by a newer version (0001_one.sql)')
})

/** Makes the folder of a version, with the migrations that this version knows. */
async function version(count: number, ...texts: readonly string[]): Promise<string> {
  folder = await mkdtemp(join(tmpdir(), 'sotto-migrations-'))
  for (const [index, text] of texts.slice(0, count).entries()) {
    await write(`000${index + 1}_part.sql`, text)
  }
  return folder
}

const ONE = 'CREATE TABLE one (id integer)'
/** Expands the schema. A version that knows only the first migration still works. */
const TWO = '-- Works beside: 0001\nALTER TABLE one ADD COLUMN note text'
/** Contracts the schema: removes a column that the second version doesn't need. */
const THREE = '-- Works beside: 0002\nALTER TABLE one DROP COLUMN id'

it('an older version starts only if the later migrations work beside it', async () => {
  await migrate(database, await version(2, ONE, TWO))
  // This is a restart of the old version during an upgrade, or after a rollback.
  expect(await migrate(database, await version(1, ONE))).toEqual([])
  await migrate(database, await version(3, ONE, TWO, THREE))
  expect(await migrate(database, await version(2, ONE, TWO))).toEqual([])
  await expect(migrate(database, await version(1, ONE))).rejects.toThrow(
    'by a newer version (0003_part.sql)',
  )
})

it('refuses a version that has its own migration instead of an applied migration', async () => {
  await migrate(database, await version(2, ONE, TWO))
  const own = await version(1, ONE)
  await write('0003_own.sql', 'CREATE TABLE own (id integer)')
  await expect(migrate(database, own)).rejects.toThrow('by a newer version (0002_part.sql)')
})

it('refuses a database that an unrelated series of migrations made', async () => {
  await migrate(database, await version(2, ONE, TWO))
  folder = await mkdtemp(join(tmpdir(), 'sotto-migrations-'))
  await write('0001_baseline.sql', ONE)
  for (const company of ['alone', 'beside_others'] as const) {
    await expect(migrate(database, folder, company)).rejects.toThrow(
      'an incompatible version of the service made the database, which cannot be migrated: use an empty database',
    )
  }
})

it('runs a migration that may break a running process only with --alone', async () => {
  const beside = (known: string) => migrate(database, known, 'beside_others')
  // No service runs on an empty database, so no running process can break.
  expect(await beside(await version(1, ONE))).toEqual(['0001_part.sql'])
  const all = await version(3, ONE, TWO, THREE)
  await expect(beside(all)).rejects.toThrow('"sotto-server migrate --alone"')
  await expect(database.query('SELECT note FROM one', [])).rejects.toThrow('does not exist')
  // Each release migrates while the previous release runs.
  expect(await beside(await version(2, ONE, TWO))).toEqual(['0002_part.sql'])
  expect(await beside(await version(3, ONE, TWO, THREE))).toEqual(['0003_part.sql'])
  await write('0004_alone.sql', 'DROP TABLE one')
  await expect(beside(folder)).rejects.toThrow('0004_alone.sql')
  expect(await migrate(database, folder, 'alone')).toEqual(['0004_alone.sql'])
})

it('lets other queries read while it waits for a locked table', async () => {
  await migrate(database, await version(1, ONE))
  const isQueued = async () =>
    (await database.query('SELECT 1 FROM pg_locks WHERE NOT granted', [])).length > 0
  const next = await version(2, ONE, TWO)
  let migrated: Promise<string[]> | undefined
  await database.transaction(async (holder) => {
    await holder.query('SELECT * FROM one', [])
    migrated = migrate(database, next, 'beside_others')
    await expect.poll(isQueued).toBe(true)
    // If the migration stayed in the lock queue, PostgreSQL would make this query wait too.
    expect(await database.query('SELECT id FROM one', [])).toEqual([])
  })
  expect(await migrated).toEqual(['0002_part.sql'])
})

it('refuses two migrations with the same number', async () => {
  await write('0001_one.sql', 'CREATE TABLE one (id integer)')
  await write('0001_other.sql', 'CREATE TABLE other (id integer)')
  await expect(migrate(database, folder)).rejects.toThrow('has the number of 0001_other.sql')
})

it('rolls back all migrations of a start if one of them failed', async () => {
  await write('0001_one.sql', 'CREATE TABLE one (id integer)')
  await write('0002_wrong.sql', 'CREATE TABLE two (id integer); SELECT nothing')
  await expect(migrate(database, folder)).rejects.toThrow('nothing')
  await expect(database.query('SELECT * FROM one', [])).rejects.toThrow('does not exist')
})

it('creates the committed schema on PostgreSQL', async () => {
  await migrate(database)
  const committed = await readFile(SCHEMA, 'utf8')
  expect(committed.slice(committed.indexOf('CREATE TABLE'))).toBe(await describeSchema(database))
})
