import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../src/adapters/store/postgres.ts'
import { readConfig } from '../src/config.ts'
import { explainFailure } from '../src/start/explain-failure.ts'
import { openServiceDatabase } from '../src/start/open-service-database.ts'
import { startPostgres, type StartedPostgres } from './start-postgres.ts'

let postgres: StartedPostgres
let url: URL
beforeAll(async () => {
  postgres = await startPostgres()
  url = new URL(await postgres.createDatabase())
})
afterAll(() => postgres.stop())

/** Opens the database at this URL, and returns the line that a failed start prints. */
async function failureAt(alter: (one: URL) => void): Promise<string> {
  const other = new URL(url)
  alter(other)
  const config = readConfig({
    SOTTO_RPC_URL: 'http://127.0.0.1:8899',
    SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
    SOTTO_CLUSTER: 'localnet',
    SOTTO_DATABASE_URL: other.href,
  })
  const opened = await openServiceDatabase(config).catch((error: unknown) => error)
  return explainFailure(opened).lines
}

it('says that no server answers', async () => {
  expect(await failureAt((one) => (one.port = '9'))).toBe(
    'sotto-server: no PostgreSQL server answers at SOTTO_DATABASE_URL (127.0.0.1:9); ' +
      'start the server or correct the URL',
  )
  const socket = (one: URL) => {
    one.host = ''
    one.searchParams.set('host', '/no/such/folder')
  }
  expect(await failureAt(socket)).toMatch(/^sotto-server: no PostgreSQL server answers at SOTTO_/)
  expect(await failureAt((one) => (one.hostname = 'no-such-host.invalid'))).toMatch(
    /^sotto-server: the host of SOTTO_DATABASE_URL \(no-such-host\.invalid:[0-9]+\) has no address; correct/,
  )
})

it('names a file of the URL that cannot be read', async () => {
  const file = '/no/such/ca.pem'
  const shown = await failureAt((one) => one.searchParams.set('sslrootcert', file))
  expect(shown).toBe(
    `sotto-server: SOTTO_DATABASE_URL names the file ${file}, which can't be read (ENOENT); ` +
      'correct the path or the permissions of the file',
  )
})

it('says that the database, its user or its password is wrong', async () => {
  expect(await failureAt((one) => (one.pathname = '/none'))).toBe(
    'sotto-server: the database of SOTTO_DATABASE_URL does not exist on its server; ' +
      'create it or correct the URL',
  )
  const refused =
    /^sotto-server: PostgreSQL refuses the user or the password of SOTTO_DATABASE_URL;/
  expect(await failureAt((one) => (one.password = 'hunter2'))).toMatch(refused)
  expect(await failureAt((one) => (one.username = 'nobody'))).toMatch(refused)
})

it('says that the server cannot write', async () => {
  const name = url.pathname.slice(1)
  const direct = openPostgres(url.href)
  const set = (value: string) =>
    direct.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`, [])
  await set('on')
  try {
    expect(await failureAt(() => undefined)).toMatch(
      /^sotto-server: SOTTO_DATABASE_URL leads to a server that can only be read/,
    )
  } finally {
    await set('off')
    await direct.close()
  }
})

it('an unexpected error keeps its stack', async () => {
  expect(await failureAt((one) => one.searchParams.set('options', '-c no_such=1'))).toContain(
    '    at ',
  )
})
