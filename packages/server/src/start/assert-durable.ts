import type { Sql } from '../adapters/store/sql.ts'
import type { Config } from '../config.ts'
import { OperatorError } from './operator-error.ts'

/**
 * Settings of PostgreSQL. If any of these settings is off, the database can lose committed transactions in a power
 * failure.
 */
const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

/**
 * Checks that the database of a production service commits to disk. If a journalled attempt were lost after its
 * broadcast, the service would make a second attempt while the first could still land (invariant I7).
 *
 * @throws OperatorError that names the settings to switch on.
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
    `these settings of PostgreSQL are off: ${names}. So a power cut can lose confirmed transactions; switch the settings on for this database and role`,
  )
}
