import type { Sql } from '../sql.ts'

/** Stops new orders durably; the first reason stays until an operator clears it. */
export async function halt(sql: Sql, reason: string): Promise<void> {
  await sql.query('UPDATE chain_cursor SET halted = $1 WHERE halted IS NULL', [reason])
}
