import type { Amount } from '@sotto/protocol'
import {
  ATTEMPT_STATUSES,
  EXPIRING_PAYMENT,
  isTriedRefund,
  statusesBefore,
  TRIED_REFUND,
  type JournalledKind,
} from '../../../domain/order-state.ts'
import { BALANCE_SECONDS_MIN } from '../../../domain/balance.ts'
import { HABIT_SECONDS, type ShownSettlement } from '../../../domain/observed-market.ts'
import type { Outcome } from '../../../ports/settlement-store.ts'
import { recordPaid } from '../paid-payees.ts'
import type { Database, Sql } from '../sql.ts'
import { writeEvents, type NewEvent } from '../outbox/new-event.ts'
import { uniqueViolation } from '../unique-violation.ts'
import { hourOf, LATEST_HOUR } from '../column-values.ts'
import { hexOf } from '../../../domain/hex.ts'
import { epochStartMs } from '../../../domain/epoch.ts'
import { addPlan, addPlanIf, planParameters, type NextPlan } from './plans.ts'
import type { NamedOrder } from './pseudonym.ts'

interface NewAttempt extends JournalledKind {
  readonly sealed: Uint8Array
}

/**
 * Writes an attempt, and the order's new status. Returns false if the order's status doesn't allow the attempt any
 * more, or if the order has a live attempt (I7).
 */
export async function insertAttempt(
  database: Database,
  pseudonym: string,
  fence: bigint,
  attempt: NewAttempt,
  events: readonly NewEvent[] = [],
): Promise<boolean> {
  try {
    return await database.transaction(async (sql) => {
      const isWritten = await insert(sql, pseudonym, fence, attempt)
      if (isWritten) await writeEvents(sql, events)
      return isWritten
    })
  } catch (error) {
    // Two concurrent transactions may both find no live attempt. Then the unique index lets only one of them insert its
    // attempt.
    if (uniqueViolation(error) === undefined) throw error
    return false
  }
}

async function insert(
  sql: Sql,
  pseudonym: string,
  fence: bigint,
  attempt: NewAttempt,
): Promise<boolean> {
  const isTrial = isTriedRefund(attempt)
  const { from, to } = ATTEMPT_STATUSES[attempt.kind]
  const rows = await sql.query(
    `UPDATE settlements SET status = COALESCE($3, status)
     WHERE pseudonym = decode($1, 'hex') AND lease_fence = $2 AND status = ANY ($4::text[])
       AND NOT EXISTS (SELECT 1 FROM attempts
                       WHERE attempts.pseudonym = settlements.pseudonym AND attempts.state = 'live')
     RETURNING lease_fence`,
    [pseudonym, fence.toString(), isTrial ? null : to, isTrial ? TRIED_REFUND : from],
  )
  if (rows.length === 0) return false
  await sql.query(
    `INSERT INTO attempts (pseudonym, number, kind, state, sealed)
     SELECT decode($1, 'hex'), COALESCE(MAX(number), 0) + 1, $2, 'live', decode($3, 'hex')
     FROM attempts WHERE pseudonym = decode($1, 'hex')`,
    [pseudonym, attempt.kind, hexOf(attempt.sealed)],
  )
  return true
}

/**
 * Marks an attempt as dead, and writes the plan for the next attempt. Before this call, the program's state must have
 * proven that the attempt can't land. The caller needs no lease: an order with a live attempt can't be claimed, and
 * only one caller can mark the attempt. The attempt may be a tried refund of a balance, see `isTriedRefund`. During
 * such an attempt, a payment may have replaced the balance's plan. Then the newer plan stays.
 */
export async function tryMarkDead(
  database: Database,
  pseudonym: string,
  number: number,
  plan: NextPlan | undefined,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const rows = await sql.query(
      `UPDATE attempts SET state = 'dead'
       WHERE pseudonym = decode($1, 'hex') AND number = $2 AND state = 'live' RETURNING 1`,
      [pseudonym, number],
    )
    if (rows.length === 1 && plan !== undefined) {
      await sql.query(addPlanIf('true'), planParameters(plan))
    }
    return rows.length === 1
  })
}

/** Moves an order without a live attempt to `refunding`, if no other writer has replaced the plan that was read. */
export function tryBeginRefund(
  database: Database,
  pseudonym: string,
  fence: bigint,
  plan: NextPlan,
  events: readonly NewEvent[] = [],
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const rows = await sql.query(
      `UPDATE settlements SET status = 'refunding'
       WHERE pseudonym = decode($1, 'hex') AND lease_fence = $2 AND status = ANY ($3::text[])
         AND NOT EXISTS (SELECT 1 FROM attempts
                         WHERE attempts.pseudonym = settlements.pseudonym AND attempts.state = 'live')
       RETURNING lease_fence`,
      [pseudonym, fence.toString(), statusesBefore('refunding')],
    )
    if (rows.length === 0) return false
    await addPlan(sql, plan)
    await writeEvents(sql, events)
    return true
  })
}

// Even if the wall clock is slow, the stored hour isn't earlier than the order's epoch. With an earlier hour, the row
// would be deleted together with the rows of an older epoch, while the order still needs it.
const FINAL_HOUR = `GREATEST($6::timestamptz, LEAST($4::timestamptz, ${LATEST_HOUR}))`

/**
 * Ends an order and its live attempt, in `settlements` and `attempts` only. If someone settled the note with its
 * ticket, without the service, the order may have no row in `settlements` yet. Then the row is created. The same
 * transaction writes the event of the status change to the outbox.
 */
export function tryComplete(
  database: Database,
  { pseudonym, epoch }: Pick<NamedOrder, 'pseudonym' | 'epoch'>,
  { to, sealedOutcome, attempt, balance, isLandedPayment, shown }: Outcome,
  nowMs: number,
  events: readonly NewEvent[] = [],
  { paidFrom, lastPlan }: CompletedPlans = {},
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const rows = await sql.query(
      `INSERT INTO settlements (pseudonym, status, sealed_outcome, final_hour)
       SELECT decode($1, 'hex'), $2, decode($3, 'hex'), ${FINAL_HOUR}
       FROM chain_cursor
       ON CONFLICT (pseudonym) DO UPDATE
       SET status = $2, sealed_outcome = decode($3, 'hex'), final_hour = excluded.final_hour,
           lease_owner = NULL, lease_until = NULL
       WHERE settlements.status = ANY ($5::text[]) AND NOT EXISTS (
         SELECT 1 FROM attempts
         WHERE pseudonym = decode($1, 'hex') AND state = 'live' AND number IS DISTINCT FROM $7::integer
       )
       RETURNING lease_fence`,
      [
        pseudonym,
        to,
        sealedOutcome === undefined ? null : hexOf(sealedOutcome),
        hourOf(nowMs),
        to === 'expired' ? EXPIRING_PAYMENT : statusesBefore(to),
        hourOf(epochStartMs(epoch)),
        attempt?.number ?? null,
      ],
    )
    if (rows.length === 0) return false
    if (lastPlan !== undefined) await addPlan(sql, lastPlan)
    if (paidFrom !== undefined) await replacePlan(sql, paidFrom)
    if (shown !== undefined) await showSettlement(sql, shown)
    if (isLandedPayment === true) await sql.query(COUNT_PAYMENT, [])
    if (balance?.left !== undefined) {
      await addKept(sql, balance.mint, balance.left, balance.isSettled === true ? 0 : 1)
    }
    if (attempt !== undefined) {
      await sql.query(
        `UPDATE attempts SET state = $3
         WHERE pseudonym = decode($1, 'hex') AND number = $2 AND state = 'live'`,
        [pseudonym, attempt.number, attempt.hasLanded ? 'landed' : 'dead'],
      )
    }
    await writeEvents(sql, events)
    return true
  })
}

/**
 * The public facts of a settlement are kept for this many seconds. Quotes and counts of crowds read the facts of the
 * longest delay and of the `HABIT_SECONDS` before. Every delay is shorter than `BALANCE_SECONDS_MIN`. If facts were
 * deleted sooner, delivered transfers would count as waiting again.
 */
const SHOWN_SECONDS = BALANCE_SECONDS_MIN + HABIT_SECONDS

/**
 * Adds the public facts of a settlement. Deletes facts that are too old for quotes. The followed clock decides which
 * facts are too old, and no stored time is later than it. So a settlement with a false time can't delete the facts of
 * other settlements, and its own facts don't stay for years.
 */
async function showSettlement(
  sql: Sql,
  { mint, gross, payee, unixSeconds }: ShownSettlement,
): Promise<void> {
  await recordPaid(sql, [payee])
  await sql.query(
    `WITH gone AS (
       DELETE FROM shown_settlements USING chain_cursor WHERE settled_at < unix_seconds - ${SHOWN_SECONDS}
     )
     INSERT INTO shown_settlements (mint, gross, settled_at)
     SELECT $1, $2, LEAST($3::bigint, unix_seconds) FROM chain_cursor`,
    [mint, gross.toString(), unixSeconds.toString()],
  )
}

/**
 * For a landed payment, only a counter grows. A record of the payment's leaf would link the leaf to the payment's row.
 */
const COUNT_PAYMENT = 'UPDATE health SET payments_landed = payments_landed + 1'

/**
 * Records a balance that ended without a settlement by the service. `left` is the maximum amount that its owner may
 * still have in the pool. `orders` is 1 if no settlement of the balance's order is known; otherwise 0.
 */
async function addKept(sql: Sql, mint: string, left: Amount, orders: 0 | 1): Promise<void> {
  await sql.query(
    `INSERT INTO kept_by_owners (mint, orders, value) VALUES ($1, $3, $2)
     ON CONFLICT (mint) DO UPDATE
     SET orders = kept_by_owners.orders + excluded.orders,
         value = kept_by_owners.value + excluded.value`,
    [mint, left.toString(), orders],
  )
}

/** The plans that are replaced when an order ends. */
export interface CompletedPlans {
  /** For a payment: the next plan of its balance. */
  readonly paidFrom?: ReplacedPlan | undefined
  /** For a balance: an empty plan, so that no payment can complete afterwards. */
  readonly lastPlan?: NextPlan | undefined
}

/** The next plan of a balance from which a payment was made. */
export interface ReplacedPlan {
  /** The pseudonym of the balance's order in `settlements`, in hex. */
  readonly pseudonym: string
  /** Undefined if the plan has changed since it was read. */
  readonly plan: NextPlan | undefined
}

/**
 * Adds a row that replaces the plan of a balance. Changes no existing row of the balance, because that would link the
 * payments of the balance to each other. Every change of the balance's status also adds a plan, so the status can't
 * change unnoticed.
 *
 * @throws Error if the plan has changed since it was read. The error also rolls back the payment's completion.
 */
async function replacePlan(sql: Sql, { pseudonym, plan }: ReplacedPlan): Promise<void> {
  const closed = await sql.query(
    `SELECT 1 FROM settlements WHERE pseudonym = decode($1, 'hex') AND status <> 'deposited'`,
    [pseudonym],
  )
  if (plan === undefined || closed.length > 0) throw new PlanChangedError()
  const rows = await sql.query(addPlanIf('true'), planParameters(plan))
  if (rows.length === 0) throw new PlanChangedError()
}

class PlanChangedError extends Error {
  constructor() {
    super("a balance's plan changed while its payment completed")
  }
}
