import type { Sql } from '../sql.ts'

/** Drops the delivery's side, attempts included, of what was final before a time, and what was told. */
export async function dropSettled(sql: Sql, beforeMs: number): Promise<void> {
  await sql.query('DELETE FROM settlements WHERE final_hour < $1', [new Date(beforeMs)])
  await sql.query('DELETE FROM outbox WHERE hour < $1', [new Date(beforeMs)])
}
