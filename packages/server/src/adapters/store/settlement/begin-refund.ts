import { statusesBefore } from '../../../domain/order-state.ts'
import { writeEvents, type NewEvent } from '../outbox/new-event.ts'
import type { Database, Sql } from '../sql.ts'
import { hexOf } from './column-values.ts'

/** Moves an order without a live attempt to `refunding`. */
export function tryBeginRefund(
  database: Database,
  pseudonym: string,
  fence: bigint,
  sealedPlan: Uint8Array,
  events: readonly NewEvent[] = [],
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const isBegun = await begin(sql, pseudonym, fence, sealedPlan)
    if (isBegun) await writeEvents(sql, events)
    return isBegun
  })
}

async function begin(
  sql: Sql,
  pseudonym: string,
  fence: bigint,
  sealedPlan: Uint8Array,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE settlements SET status = 'refunding', sealed_plan = decode($3, 'hex')
     WHERE pseudonym = decode($1, 'hex') AND lease_fence = $2 AND status = ANY ($4::text[])
       AND NOT EXISTS (SELECT 1 FROM attempts
                       WHERE attempts.pseudonym = settlements.pseudonym AND attempts.state = 'live')
     RETURNING lease_fence`,
    [pseudonym, fence.toString(), hexOf(sealedPlan), statusesBefore('refunding')],
  )
  return rows.length === 1
}
