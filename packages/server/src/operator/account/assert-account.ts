import type { Sql } from '../../adapters/store/sql.ts'
import { OperatorError } from '../../start/operator-error.ts'

export const noAccount = (id: string): OperatorError =>
  new OperatorError(
    `there is no account ${id}; list the accounts with: sotto-server account list; or make this account with: sotto-server account add`,
  )

/** Checks that the account exists. @throws OperatorError if it doesn't. */
export async function assertAccount(sql: Sql, id: string): Promise<void> {
  const rows = await sql.query('SELECT 1 FROM accounts WHERE id = $1', [id])
  if (rows.length === 0) throw noAccount(id)
}
