import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { assertDurable } from '../../src/start/assert-durable.ts'
import { startPostgres, type StartedPostgres } from '../start-postgres.ts'

let postgres: StartedPostgres
beforeAll(async () => {
  // The PostgreSQL that the tests share is itself not durable.
  postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

it('a production service does not start on a PostgreSQL that can lose confirmed transactions', async () => {
  const url = await postgres.createDatabase()
  const settled = openPostgres(url)
  await assertDurable(settled, { PROFILE: 'production' })
  const name = new URL(url).pathname.slice(1)
  await settled.query(`ALTER DATABASE ${name} SET synchronous_commit = off`, [])
  await settled.close()
  // A setting of the database applies only to connections that are opened later.
  const hasty = openPostgres(url)
  await expect(assertDurable(hasty, { PROFILE: 'production' })).rejects.toThrow(
    'PostgreSQL are off: synchronous_commit',
  )
  await assertDurable(hasty, { PROFILE: 'embedded' })
  await hasty.close()
})
