import { LEASES_AHEAD } from '../../../domain/lease.ts'
import type { ClaimedLease, Lease } from '../../../ports/settlement-store.ts'
import type { Sql } from '../sql.ts'
import { hexOf } from '../../../domain/hex.ts'
import { bytesOf } from '../column-values.ts'
import { newestPlan } from './newest-plan.ts'

/**
 * Claims an open order that has no live attempt and no valid lease. If the order has no row in `settlements` yet,
 * creates it. So this row is created when work on the order starts. The positions of these rows in the table reveal
 * little more than the sequence of deliveries, which the chain will show too. If an order waits for a crowd, work on it
 * starts when the wait ends, with or without a crowd: see decision 60.
 */
export async function tryClaim(
  sql: Sql,
  pseudonym: string,
  orderId: Uint8Array,
  owner: string,
  nowMs: number,
  untilMs: number,
): Promise<Omit<ClaimedLease, 'epoch'> | undefined> {
  const voidMs = nowMs + LEASES_AHEAD * (untilMs - nowMs)
  const [row] = await sql.query<{ readonly lease_fence: string; readonly plan: Uint8Array | null }>(
    `INSERT INTO settlements (pseudonym, status, lease_owner, lease_until, lease_fence)
     VALUES (decode($1, 'hex'), 'deposited', $2, $4, 1)
     ON CONFLICT (pseudonym) DO UPDATE
     SET lease_owner = $2, lease_until = $4, lease_fence = settlements.lease_fence + 1
     WHERE (settlements.lease_until IS NULL OR settlements.lease_until <= $3
            OR settlements.lease_until > $5)
       AND settlements.status IN ('deposited', 'delivering', 'refunding')
       AND NOT EXISTS (SELECT 1 FROM attempts
                       WHERE attempts.pseudonym = settlements.pseudonym AND attempts.state = 'live')
     RETURNING lease_fence, ${newestPlan('settlements.sealed_plan', '$6')} AS plan`,
    [pseudonym, owner, new Date(nowMs), new Date(untilMs), new Date(voidMs), hexOf(orderId)],
  )
  if (row === undefined) return undefined
  const plan = bytesOf(row.plan ?? new Uint8Array(0))
  return { orderId, fence: BigInt(row.lease_fence), plan }
}

/** Extends a lease. Returns false if it was released, or if its fence isn't the newest any more. */
export async function tryRenewLease(
  sql: Sql,
  pseudonym: string,
  fence: bigint,
  untilMs: number,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE settlements SET lease_until = $3
     WHERE pseudonym = decode($1, 'hex') AND lease_fence = $2 AND lease_owner IS NOT NULL
     RETURNING lease_fence`,
    [pseudonym, fence.toString(), new Date(untilMs)],
  )
  return rows.length === 1
}

/** Releases a lease. Does nothing if another worker has claimed the order in the meantime. */
export async function releaseLease(sql: Sql, pseudonym: string, fence: bigint): Promise<void> {
  await sql.query(
    `UPDATE settlements SET lease_owner = NULL, lease_until = NULL
     WHERE pseudonym = decode($1, 'hex') AND lease_fence = $2`,
    [pseudonym, fence.toString()],
  )
}

/**
 * Replaces the order's newest plan. Returns false if the lease's fence isn't the newest any more, or if the newest plan
 * isn't the plan that was read.
 */
export async function tryReplacePlan(
  sql: Sql,
  pseudonym: string,
  { orderId, fence }: Lease,
  sealedPlan: Uint8Array,
  readPlan: Uint8Array,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE settlements SET sealed_plan = decode($3, 'hex')
     WHERE pseudonym = decode($1, 'hex') AND lease_fence = $2
       AND ${newestPlan('sealed_plan', '$5')} = decode($4, 'hex') RETURNING lease_fence`,
    [pseudonym, fence.toString(), hexOf(sealedPlan), hexOf(readPlan), hexOf(orderId)],
  )
  return rows.length === 1
}
