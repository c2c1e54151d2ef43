import { BALANCE_SECONDS_MIN } from '../../domain/balance.ts'
import type { Sql } from './sql.ts'

/**
 * Reads the epochs whose keys seal a balance. An ended balance still counts until its epoch is cleared, because the
 * database doesn't show which balances have ended.
 */
export async function readBalanceEpochs(sql: Sql): Promise<ReadonlySet<number>> {
  const rows = await sql.query<{ readonly epoch: number }>(
    `SELECT DISTINCT COALESCE(seal_epoch, epoch)::integer AS epoch
     FROM orders WHERE status = 'deposited' AND expiry - deadline >= ${BALANCE_SECONDS_MIN}`,
    [],
  )
  return new Set(rows.map(({ epoch }) => epoch))
}
