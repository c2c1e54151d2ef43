import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { migrate } from '../../src/adapters/store/migrate.ts'
import { openPglite } from '../../src/adapters/store/pglite.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { startPostgres } from '../start-postgres.ts'

/** Columns whose bytes aren't produced with a key: random order ids and nonces of quotes, and public chain data. */
const OPEN = [
  'chain_cursor.domain',
  'leaves.leaf',
  'orders.id',
  'orders.inner_commitment',
  'orders.leaf',
  'orders.quote_nonce',
  'written_off.leaf',
]

interface Kind {
  readonly kind: string
  readonly withDatabase: (work: (database: Database) => Promise<void>) => Promise<void>
}

const KINDS: readonly Kind[] = [
  {
    kind: 'PGlite',
    withDatabase: async (work) => {
      const database = await openPglite()
      try {
        await work(database)
      } finally {
        await database.close()
      }
    },
  },
  {
    kind: 'PostgreSQL',
    withDatabase: async (work) => {
      const postgres = await startPostgres()
      const database = openPostgres(await postgres.createDatabase())
      try {
        await work(database)
      } finally {
        await database.close()
        await postgres.stop()
      }
    },
  },
]

/** Fills every table that has columns with sealed or hashed bytes. */
async function fill(database: Database): Promise<void> {
  const sealed = () => randomBytes(32)
  await database.script(
    `INSERT INTO accounts (id, name, fee_bps_max, created_at) VALUES ('a', 'A', 0, now());
     INSERT INTO assets (mint, symbol, name, decimals, kind, service_bps, network_fee_exists, network_fee_created,
         input_max, is_swappable, created_at, updated_at)
       VALUES ('m', 'M', 'M', 0, 'native', 0, 0, 0, 1, false, now(), now());`,
  )
  for (const _ of Array.from({ length: 5 })) {
    const [name, secret] = [sealed(), randomBytes(8).toString('hex')]
    await database.query(
      `INSERT INTO api_keys (id, account_id, mode, secret_hmac, scopes, created_at)
       VALUES ($1, 'a', 'test', $2, '', now())`,
      [secret, sealed()],
    )
    await database.query(
      `INSERT INTO orders (id, account_id, quote_nonce, fingerprint, epoch, status, source_mint, destination_mint,
         amount_in, partner_fee, value, amount_out, sender, deadline, valid_until, expiry, inner_commitment, leaf,
         payload, last_valid_block_height, sealed_terms, sealed_response, sealed_plan, created_at, updated_at)
       VALUES ($1, 'a', $2, $3, 1, 'deposited', 'm', 'm', 1, 1, 1, 1, 's', 1, 1, 1, $4, $5, $6, 1, $7, $8, $9, now(), now())`,
      [
        ...[randomBytes(16), randomBytes(16), sealed(), sealed(), sealed(), randomBytes(65)],
        ...[sealed(), sealed(), sealed()],
      ],
    )
    await database.query(
      `INSERT INTO settlements (pseudonym, status, sealed_plan, sealed_outcome) VALUES ($1, 'delivered', $2, $3)`,
      [name, sealed(), sealed()],
    )
    await database.query(`INSERT INTO attempts VALUES ($1, 1, 'deliver', 'live', $2)`, [
      name,
      sealed(),
    ])
    await database.query(`INSERT INTO outbox (name, sealed, hour) VALUES ($1, $2, now())`, [
      name,
      sealed(),
    ])
  }
}

/** Lists the byte columns whose values the database samples in its statistics. */
async function sampled(database: Database): Promise<string[]> {
  const rows = await database.query<{ readonly name: string; readonly values: string }>(
    `SELECT c.relname || '.' || a.attname AS name,
       concat(s.stavalues1, s.stavalues2, s.stavalues3, s.stavalues4, s.stavalues5) AS values
     FROM pg_statistic s JOIN pg_class c ON c.oid = s.starelid
       JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = s.staattnum
     WHERE n.nspname = 'public' AND format_type(a.atttypid, NULL) = 'bytea' ORDER BY 1`,
    [],
  )
  expect(rows.map(({ values }) => values).filter((values) => values === '')).toEqual([])
  return rows.map(({ name }) => name)
}

describe.each(KINDS)('$kind', ({ withDatabase }) => {
  it('keeps no sample of a sealed value', () =>
    withDatabase(async (database) => {
      await migrate(database)
      await fill(database)
      await database.script('ANALYZE')
      const after = await sampled(database)
      expect(after.filter((name) => !OPEN.includes(name))).toEqual([])
      expect(after).toContain('orders.id')
    }))

  it('samples only the columns of bytes that this test names', () =>
    withDatabase(async (database) => {
      await migrate(database)
      const columns = await database.query<{ readonly name: string }>(
        `SELECT c.relname || '.' || a.attname AS name
           FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
             JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p', 'm') AND a.attnum > 0 AND NOT a.attisdropped
             AND (format_type(a.atttypid, NULL) LIKE 'bytea%' OR a.attname LIKE 'sealed%')
             AND COALESCE(a.attstattarget, -1) <> 0 ORDER BY 1`,
        [],
      )
      expect(columns.map(({ name }) => name)).toEqual(OPEN)
      const expressions = await database.query(
        `SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
             JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE n.nspname = 'public' AND i.indexprs IS NOT NULL`,
        [],
      )
      expect(expressions).toEqual([])
      expect(await database.query('SELECT 1 FROM pg_statistic_ext', [])).toEqual([])
    }))
})
