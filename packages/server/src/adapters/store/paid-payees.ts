import { createHash } from 'node:crypto'
import type { Address } from '@sotto/protocol'
import type { Clock } from '../../ports/clock.ts'
import type { PaidPayees } from '../../ports/paid-payees.ts'
import { answersPerAsker } from '../../running/answers-per-asker.ts'
import { gather } from '../../running/gather.ts'
import type { Sql } from './sql.ts'

/** Maximum number of payees that share a statement. */
const PAYEES_MAX = 32

/**
 * The first eight bytes of a hash, as a decimal number. If two payees have the same number, one of them may count as
 * paid although it was never paid. Its quote then states too little privacy, never too much.
 */
export const payeeHash = (payee: Address): string =>
  `${createHash('sha256').update(`sotto/payee ${payee}`).digest().readBigInt64BE(0)}`

/** If the table may lack payees of earlier settlements, every payee counts as paid. */
const PAID = `SELECT payee_hash FROM paid_payees WHERE payee_hash = ANY ($1::bigint[])
  UNION ALL
  SELECT given.payee_hash FROM health, unnest($1::bigint[]) AS given (payee_hash)
  WHERE NOT has_paid_payees`

/**
 * Reads whether payees were paid. Callers that wait at the same time share a statement. An answer is cached for a few
 * seconds, separately for each asker.
 */
export function sqlPaidPayees(sql: Sql, clock: Pick<Clock, 'nowMs'>): PaidPayees {
  const cached = answersPerAsker<boolean>(clock)
  const isPaid = gather(async (payees: readonly Address[]) => {
    const hashes = payees.map(payeeHash)
    const rows = await sql.query<{ readonly payee_hash: string }>(PAID, [hashes], 'was-paid')
    const paid = new Set(rows.map((row) => row.payee_hash))
    return hashes.map((hash) => paid.has(hash))
  }, PAYEES_MAX)
  return { wasPaid: (payee, asker) => cached(asker, payee, () => isPaid(payee)) }
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
