import type { Sql } from '../../adapters/store/sql.ts'
import { OperatorError } from '../../start/operator-error.ts'

/** Checks that the account exists. @throws OperatorError if it doesn't. */
export async function assertAccount(sql: Sql, id: string): Promise<void> {
  const rows = await sql.query('SELECT 1 FROM accounts WHERE id = $1', [id])
  if (rows.length === 0) {
    throw new OperatorError(`there is no account ${id}; make it with: sotto-server account add`)
  }
}
