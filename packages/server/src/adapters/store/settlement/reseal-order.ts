import type { ResealedOrder } from '../../../ports/settle-store.ts'
import type { Database } from '../sql.ts'
import { lockEpochs } from './clear-epoch.ts'
import { hexOf, hourOf } from './column-values.ts'

interface Names {
  readonly from: string
  readonly to: string
}

/**
 * Moves an order without a live attempt under another epoch's key. It is the one write that touches
 * both sides: the order's deadline to be delivered is long past, so that it can only be refunded, to
 * its own sender. The former row stays as a mark for workers that still know the former name.
 *
 * @throws Error, with nothing written, where the order isn't deposited (any more).
 */
export function tryReseal(
  database: Database,
  { from, to }: Names,
  orderId: Uint8Array,
  fence: bigint,
  resealed: ResealedOrder,
  nowMs: number,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    await lockEpochs(sql)
    const [side] = await sql.query<{ readonly status: string }>(
      `SELECT status FROM settlements
       WHERE pseudonym = decode($1, 'hex') AND lease_fence = $2
         AND status IN ('deposited', 'delivering', 'refunding')
         AND NOT EXISTS (SELECT 1 FROM attempts
                         WHERE attempts.pseudonym = settlements.pseudonym AND attempts.state = 'live')
       FOR UPDATE`,
      [from, fence.toString()],
    )
    if (side === undefined) return false
    await sql.query(
      `UPDATE settlements SET status = 'moved', final_hour = $2, sealed_plan = NULL,
         lease_owner = NULL, lease_until = NULL
       WHERE pseudonym = decode($1, 'hex')`,
      [from, hourOf(nowMs)],
    )
    // Fences go on counting: a lease on the former row must not fit the new one.
    await sql.query(
      `INSERT INTO settlements (pseudonym, status, lease_fence) VALUES (decode($1, 'hex'), $2, $3)`,
      [to, side.status, (fence + 1n).toString()],
    )
    const moved = await sql.query(
      `UPDATE orders SET seal_epoch = $2, sealed_terms = decode($3, 'hex'),
         sealed_plan = decode($4, 'hex'), sealed_response = ''::bytea, fingerprint = ''::bytea
       WHERE id = decode($1, 'hex') AND status = 'deposited' RETURNING id`,
      [hexOf(orderId), resealed.epoch, hexOf(resealed.sealedTerms), hexOf(resealed.sealedPlan)],
    )
    // Its one side would be moved and its other not: no worker would ever find it again.
    if (moved.length !== 1) throw new Error('the order to be sealed anew is not there')
    return true
  })
}
