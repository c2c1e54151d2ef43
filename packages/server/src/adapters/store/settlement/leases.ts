import { LEASES_AHEAD } from '../../../domain/lease.ts'
import type { Sql } from '../sql.ts'
import { addPlanIf, planParameters, type NextPlan } from './plans.ts'

/**
 * SQL for the fence of an order's first lease: a random number. If the first fence were always 1, a fence would show
 * how often work on its order began, and so which deliveries had waited for a crowd.
 */
const FIRST_FENCE = `('x' || substr(md5(gen_random_uuid()::text), 1, 7))::bit(28)::bigint`

/**
 * Claims an open order that has no live attempt and no valid lease, and returns the fence. If the order has no row in
 * `settlements` yet, creates it. So this row is created when work on the order starts. The positions of these rows in
 * the table reveal little more than the sequence of deliveries, which the chain will show too. If an order waits for a
 * crowd, work on it starts when the wait ends, with or without a crowd: see decision 60.
 */
export async function tryClaim(
  sql: Sql,
  pseudonym: string,
  owner: string,
  nowMs: number,
  untilMs: number,
): Promise<bigint | undefined> {
  const voidMs = nowMs + LEASES_AHEAD * (untilMs - nowMs)
  const [row] = await sql.query<{ readonly lease_fence: string }>(
    `INSERT INTO settlements (pseudonym, status, lease_owner, lease_until, lease_fence)
     VALUES (decode($1, 'hex'), 'deposited', $2, $4, ${FIRST_FENCE})
     ON CONFLICT (pseudonym) DO UPDATE
     SET lease_owner = $2, lease_until = $4, lease_fence = settlements.lease_fence + 1
     WHERE (settlements.lease_until IS NULL OR settlements.lease_until <= $3
            OR settlements.lease_until > $5)
       AND settlements.status IN ('deposited', 'delivering', 'refunding')
       AND NOT EXISTS (SELECT 1 FROM attempts
                       WHERE attempts.pseudonym = settlements.pseudonym AND attempts.state = 'live')
     RETURNING lease_fence`,
    [pseudonym, owner, new Date(nowMs), new Date(untilMs), new Date(voidMs)],
  )
  return row && BigInt(row.lease_fence)
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
 * Replaces the order's newest plan. Returns false if the lease's fence isn't the newest any more, or if another writer
 * has replaced the plan that was read. The order's row isn't written and isn't locked, because that would link the plan
 * to this row.
 */
export async function tryReplacePlan(
  sql: Sql,
  pseudonym: string,
  fence: bigint,
  plan: NextPlan,
): Promise<boolean> {
  const isHeld = `EXISTS (SELECT 1 FROM settlements
    WHERE pseudonym = decode($4, 'hex') AND lease_fence = $5)`
  const parameters = [...planParameters(plan), pseudonym, fence.toString()]
  return (await sql.query(addPlanIf(isHeld), parameters)).length === 1
}
