import type { Sql } from '../adapters/store/sql.ts'
import type { Config } from '../config.ts'
import { OperatorError } from './operator-error.ts'

/** With any of these off, PostgreSQL forgets in a power cut what it has confirmed. */
const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

/**
 * Asks the database of a production service whether what it confirms is on disk: an attempt that was
 * journalled, broadcast and then forgotten could be paid twice (I7).
 *
 * @throws OperatorError that says what to switch on.
 */
export async function assertDurable(sql: Sql, { PROFILE }: Pick<Config, 'PROFILE'>): Promise<void> {
  if (PROFILE !== 'production') return
  const rows = await sql.query<{ name: string }>(
    "SELECT name FROM pg_settings WHERE name = ANY($1) AND setting = 'off' ORDER BY name",
    [DURABLE],
  )
  if (rows.length === 0) return
  const names = rows.map(({ name }) => name).join(', ')
  throw new OperatorError(
    `PostgreSQL has switched off ${names}, so that a power cut loses what it confirmed; switch them on for this database and role`,
  )
}
