import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../src/adapters/store/migrate.ts'
import { openPglite } from '../../src/adapters/store/pglite.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { uniqueViolation } from '../../src/adapters/store/unique-violation.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'

let postgres: SharedPostgres
const open: Record<'PGlite' | 'PostgreSQL', () => Promise<Database>> = {
  PGlite: () => openPglite(),
  PostgreSQL: async () => openPostgres(await postgres.createDatabase()),
}

beforeAll(async () => {
  postgres = await sharedPostgres()
})
afterAll(() => postgres.stop())

describe.each(['PGlite', 'PostgreSQL'] as const)('%s', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await open[engine]()
  })
  afterAll(() => database.close())

  it('migrates only once, even if the migration is repeated', async () => {
    expect(await migrate(database)).toContain('0001_baseline.sql')
    expect(await migrate(database)).toEqual([])
  })

  it('returns amounts, bytes and times unchanged', async () => {
    const at = new Date('2026-01-02T03:04:05.678Z')
    const rows = await database.query(
      'SELECT $1::numeric(20, 0) AS amount, $2::bigint AS slot, $3::bytea AS bytes, $4::timestamptz AS at',
      [18_446_744_073_709_551_615n, 9_007_199_254_740_993n, new Uint8Array([0, 255]), at],
    )
    const row = rows[0] as { amount: string; slot: string; bytes: Uint8Array; at: Date }
    expect(row.amount).toBe('18446744073709551615')
    expect(row.slot).toBe('9007199254740993')
    expect([...row.bytes]).toEqual([0, 255])
    expect(row.at.getTime()).toBe(at.getTime())
  })

  it('rolls back all writes of a failed transaction', async () => {
    const insert =
      'INSERT INTO accounts (id, name, fee_bps_max, created_at) VALUES ($1, $1, 0, now())'
    const failed = database.transaction(async (sql) => {
      await sql.query(insert, ['twice'])
      await sql.query(insert, ['twice'])
    })
    const error = await failed.catch((caught: unknown) => caught)
    expect(uniqueViolation(error)).toBe('accounts_pkey')
    expect(await database.query('SELECT id FROM accounts', [])).toEqual([])
  })

  it('refuses a schema whose migration was changed after it ran', async () => {
    await database.query('UPDATE schema_migrations SET sha256 = $1', ['0'])
    await expect(migrate(database)).rejects.toThrow('0001_baseline.sql was changed')
  })
})
