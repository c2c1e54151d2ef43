import type { BalanceRecord, PaidPayment, PaymentRequest } from './balance-state.ts'
import { BalanceError } from './errors.ts'

export interface PaymentList {
  /** The caller's own name for the list, such as `payroll-2026-11`. */
  readonly id: string
  /** A line's place in the list is part of its key: append lines, but never reorder or change them. */
  readonly lines: readonly PaymentRequest[]
}

export interface ListProgress {
  readonly line: number
  readonly paid: PaidPayment
}

/** The key of a line's payment. It never equals the key of a single payment. */
export const keyOfLine = (id: string, line: number): string => `line:${line}:${id}`

/**
 * The balances with which a list was begun, by the ids of the orders that opened them; empty if the list was begun with
 * only one balance.
 */
export function membersOf({ state: { lists } }: BalanceRecord, id: string): readonly string[] {
  return lists !== undefined && Object.hasOwn(lists, id) ? (lists[id] ?? []) : []
}

/** @throws BalanceError BALANCE_MISSING if a balance that may have paid a line of the list isn't among these. */
export function assertComplete(
  records: readonly BalanceRecord[],
  given: ReadonlySet<string>,
  id: string,
): void {
  const members = records.flatMap((record) => membersOf(record, id))
  if (members.every((member) => given.has(member))) return
  throw new BalanceError(
    'BALANCE_MISSING',
    'this list was begun with further balances, which may have paid some of its lines: name all of them',
  )
}
