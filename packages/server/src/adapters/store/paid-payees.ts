import { createHash } from 'node:crypto'
import { forgetLater, type Address } from '@sotto/protocol'
import type { Clock } from '../../ports/clock.ts'
import type { PaidPayees } from '../../ports/paid-payees.ts'
import { gather } from '../../running/gather.ts'
import { SharedAnswers } from '../../running/shared-answer.ts'
import type { Sql } from './sql.ts'

/** Lifetime of a cached answer. The cached states of recipients have the same lifetime: see `withRecipientCache`. */
const KEPT_MS = 10_000
const ENTRIES_MAX = 10_000
/** Interval at which expired answers are dropped. */
const DROP_MS = 60_000
/** Maximum number of payees that share a statement. */
const PAYEES_MAX = 32

/**
 * The first eight bytes of a hash, as a decimal number. If two payees have the same number, one of them may seem to be
 * paid before it is. Its quote then states too little privacy, never too much.
 */
export const payeeHash = (payee: Address): string =>
  `${createHash('sha256').update(`sotto/payee ${payee}`).digest().readBigInt64BE(0)}`

const IS_PAID = `SELECT given.payee_hash, EXISTS (
    SELECT 1 FROM paid_payees WHERE paid_payees.payee_hash = given.payee_hash) AS is_paid
  FROM jsonb_to_recordset($1::text::jsonb) AS given (payee_hash bigint)`

/**
 * Reads whether payees were paid. Callers that wait at the same time share a statement. An answer is cached only for
 * the asker: a fast answer would reveal to another account that someone asked about this payee. Expired answers are
 * dropped within a minute, because an answer's time would show which deposit pays the payee.
 */
export function sqlPaidPayees(sql: Sql, clock: Pick<Clock, 'nowMs'>): PaidPayees {
  const cached = new SharedAnswers<boolean>(clock, ENTRIES_MAX)
  const forget = forgetLater(() => cached.dropOlder(KEPT_MS), DROP_MS)
  const isPaid = gather(async (payees: readonly Address[]) => {
    const hashes = payees.map(payeeHash)
    const given = JSON.stringify(hashes.map((hash) => ({ payee_hash: hash })))
    const rows = await sql.query<{ readonly payee_hash: string; readonly is_paid: boolean }>(
      IS_PAID,
      [given],
      'was-paid',
    )
    const paid = new Set(rows.flatMap((row) => (row.is_paid ? [row.payee_hash] : [])))
    return hashes.map((hash) => paid.has(hash))
  }, PAYEES_MAX)
  return {
    wasPaid: (payee, asker) => {
      forget()
      return cached.of(`${asker} ${payee}`, () => isPaid(payee)).read(KEPT_MS)
    },
  }
}

/** Adds payees of settlements that landed. Payees that are stored already stay stored. */
export async function recordPaid(sql: Sql, payees: readonly Address[]): Promise<void> {
  if (payees.length === 0) return
  await sql.query(
    `INSERT INTO paid_payees (payee_hash) SELECT unnest($1::bigint[]) ON CONFLICT DO NOTHING`,
    [payees.map(payeeHash)],
  )
}
