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

/** Migrates in a process of its own and returns the names of what it ran. */
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

it('of processes that start together one migrates, and the others wait until it has', async () => {
  await write('0001_slow.sql', 'SELECT pg_sleep(2); CREATE TABLE slow (id integer)')
  const ran = await Promise.all([migrateElsewhere(), migrateElsewhere(), migrateElsewhere()])
  expect(ran.flat()).toEqual(['0001_slow.sql'])
  expect(await database.query('SELECT * FROM slow', [])).toEqual([])
})

it('refuses a migration that was edited after it ran, and changes nothing', async () => {
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

it('refuses two migrations of one number, whose order would depend on their names', async () => {
  await write('0001_one.sql', 'CREATE TABLE one (id integer)')
  await write('0001_other.sql', 'CREATE TABLE other (id integer)')
  await expect(migrate(database, folder)).rejects.toThrow('has the number of 0001_other.sql')
})

it('takes back every migration of a start in which one failed', async () => {
  await write('0001_one.sql', 'CREATE TABLE one (id integer)')
  await write('0002_wrong.sql', 'CREATE TABLE two (id integer); SELECT nothing')
  await expect(migrate(database, folder)).rejects.toThrow('nothing')
  await expect(database.query('SELECT * FROM one', [])).rejects.toThrow('does not exist')
})

it('makes on PostgreSQL the schema that is committed, which PGlite wrote', async () => {
  await migrate(database)
  const committed = await readFile(SCHEMA, 'utf8')
  expect(committed.slice(committed.indexOf('CREATE TABLE'))).toBe(await describeSchema(database))
})
