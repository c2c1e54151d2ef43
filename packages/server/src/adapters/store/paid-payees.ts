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

/** If the table may lack payees of earlier settlements, every payee counts as paid. */
const PAID = `SELECT payee_hash FROM paid_payees WHERE payee_hash = ANY ($1::bigint[])
  UNION ALL
  SELECT given.payee_hash FROM health, unnest($1::bigint[]) AS given (payee_hash)
  WHERE NOT has_paid_payees`

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
    const rows = await sql.query<{ readonly payee_hash: string }>(PAID, [hashes], 'was-paid')
    const paid = new Set(rows.map((row) => row.payee_hash))
    return hashes.map((hash) => paid.has(hash))
  }, PAYEES_MAX)
  return {
    wasPaid: (payee, asker) => {
      forget()
      return cached.of(`${asker} ${payee}`, () => isPaid(payee)).read(KEPT_MS)
    },
  }
}

/** Maximum number of payees that one statement adds. A short statement doesn't delay other writers of a payee. */
const ADDED_MAX = 1_000

/**
 * Adds payees of settlements that landed. Payees that are stored already stay stored. All writers add payees in the
 * same sequence, so two writers never wait for each other.
 */
export async function recordPaid(sql: Sql, payees: readonly Address[]): Promise<void> {
  const hashes = [...new Set(payees.map(payeeHash))].sort()
  while (hashes.length > 0) {
    await sql.query(
      'INSERT INTO paid_payees (payee_hash) SELECT unnest($1::bigint[]) ON CONFLICT DO NOTHING',
      [hashes.splice(0, ADDED_MAX)],
    )
  }
}

/** Sets whether the table contains the payees of all earlier settlements. */
export async function markPaidPayees(sql: Sql, areAllThere: boolean): Promise<void> {
  await sql.query('UPDATE health SET has_paid_payees = $1', [areAllThere])
}
