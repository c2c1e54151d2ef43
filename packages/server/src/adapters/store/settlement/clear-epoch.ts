import type { Database } from '../sql.ts'

/** Clears everything sealed under an epoch, and what only its key gave a meaning. */
export function clearEpoch(database: Database, epoch: number): Promise<void> {
  return database.transaction(async (sql) => {
    await sql.query(
      'DELETE FROM attempts WHERE order_id IN (SELECT id FROM orders WHERE epoch = $1)',
      [epoch],
    )
    await sql.query(
      `UPDATE orders
       SET sealed_terms = ''::bytea, sealed_response = ''::bytea, fingerprint = ''::bytea,
           sealed_plan = NULL, sealed_outcome = NULL
       WHERE epoch = $1`,
      [epoch],
    )
  })
}
