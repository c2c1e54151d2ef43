import { type UnixSeconds, unixSeconds } from '@sotto/protocol'
import { isFinal } from '../../../domain/order-state.ts'
import { hexOf } from '../../../domain/hex.ts'
import type { OpenPayment } from '../../../ports/settlement-store.ts'
import { bytesOf } from '../column-values.ts'
import { paymentStatus } from '../payments.ts'
import type { Sql } from '../sql.ts'
import { attemptOf } from './list-open.ts'
import { findKey, type PseudonymSecrets } from './pseudonym.ts'
import { replacedPlans } from './plans.ts'
import { readSettlements, type SettlementRow } from './read-settlements.ts'

interface Row {
  readonly id: Uint8Array
  readonly epoch: number
  readonly valid_until: string
  readonly sealed_terms: Uint8Array
  readonly sealed_plan: Uint8Array
}

/**
 * Lists payments whose `valid_until` is at or after $1. $1 is the earliest `valid_until` of the payments that were open
 * in the last round. A payment that was signed after that round may have an earlier `valid_until`. So the list also
 * includes the payments whose `valid_until` is at most one hour before the chain's clock, as `chain_cursor` records it.
 */
const LIST = `SELECT id, epoch::integer AS epoch, valid_until, sealed_terms, sealed_plan FROM orders
  WHERE status = 'delivering' AND final_hour IS NULL
    AND valid_until >= LEAST($1::bigint, (SELECT unix_seconds - 3600 FROM chain_cursor))`

/** After this many rounds, all payments are read again, because the database may have been restored from a backup. */
const FORGET_EVERY = 4_096

/**
 * Lists every signed payment that hasn't ended, with its live attempt. A payment has two rows: one in `orders`, and one
 * in `settlements` under a pseudonym. Like `openOrdersLister`, this function joins the two rows by the pseudonym. It
 * also remembers in memory which payments have ended.
 */
export function openPaymentsLister(
  sql: Sql,
  secrets: PseudonymSecrets,
): () => Promise<OpenPayment[]> {
  const ended = new Set<string>()
  let oldestOpen = 0n
  let rounds = 0
  return async () => {
    if (rounds % FORGET_EVERY === 0) {
      ended.clear()
      oldestOpen = 0n
    }
    rounds += 1
    const rows = await sql.query<Row>(LIST, [oldestOpen.toString()])
    const perhaps = rows.filter(({ id }) => !ended.has(hexOf(id)))
    const names = await pseudonymsOf(secrets, perhaps)
    const sides = await readSettlements(
      sql,
      names.flatMap((name) => name ?? []),
    )
    const begun = perhaps.flatMap((row, index) => {
      const side = sides.get(names[index] ?? '')
      if (!isFinal(paymentStatus('delivering', side))) return [{ row, side }]
      ended.add(hexOf(row.id))
      return []
    })
    // A plan is replaced only after work on the payment has begun.
    const worked = begun.flatMap(({ row, side }) => (side === undefined ? [] : [row]))
    const plans = await replacedPlans(sql, secrets, worked)
    const open = begun.map(({ row, side }) => ({
      ...openPaymentOf(row),
      status: paymentStatus('delivering', side),
      ...stateOf(side, plans.get(row)),
    }))
    oldestOpen = open.reduce(
      (least, { validUntil }) => (validUntil < least ? validUntil : least),
      LAST,
    )
    return open
  }
}

/** A time after the end of every payment. */
const LAST = 2n ** 62n

type Columns = Omit<OpenPayment, 'status' | 'leaseUntilMs' | 'attempt'>

const openPaymentOf = (row: Row): Columns => ({
  orderId: bytesOf(row.id),
  epoch: row.epoch,
  validUntil: unixSeconds(BigInt(row.valid_until)),
  sealedTerms: bytesOf(row.sealed_terms),
  sealedPlan: bytesOf(row.sealed_plan),
})

function stateOf(side: SettlementRow | undefined, replaced: Uint8Array | undefined) {
  const plan = replaced ?? side?.sealed_plan ?? undefined
  return {
    ...(plan === undefined ? {} : { sealedPlan: bytesOf(plan) }),
    leaseUntilMs: side?.lease_until?.getTime(),
    attempt: attemptOf(side),
  }
}

async function pseudonymsOf(
  secrets: PseudonymSecrets,
  rows: readonly Row[],
): Promise<(string | undefined)[]> {
  const names: (string | undefined)[] = []
  for (const { id, epoch } of rows) {
    const key = await findKey(secrets, epoch)
    names.push(key && hexOf(key.pseudonym(bytesOf(id))))
  }
  return names
}

/**
 * Frees the notes that were reserved for payments whose `valid_until` is before `endedBefore`. The chain must have
 * passed that time. So each of these payments has spent its note, or can't land any more.
 */
export async function freeNotes(sql: Sql, endedBefore: UnixSeconds): Promise<void> {
  await sql.query('DELETE FROM reserved_notes WHERE valid_until < $1', [endedBefore.toString()])
}
