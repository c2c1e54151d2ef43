import type { BalanceRecord, PaidPayment, PaymentRequest } from './balance-state.ts'
import { BalanceError } from './errors.ts'

export interface PaymentList {
  /** The caller's own name for the list, such as `payroll-2026-11`. */
  readonly id: string
  /**
   * A line's position in the list is part of the line's key. You may append lines, but never reorder or change them.
   */
  readonly lines: readonly PaymentRequest[]
}

export interface ListProgress {
  readonly line: number
  readonly paid: PaidPayment
}

/**
 * The ids of the balances of all earlier runs of `sendAllFrom` for the list, as this store records them. A balance's id
 * is the id of the order that opened it. Empty if there was no such run.
 */
export function membersOf({ state: { lists } }: BalanceRecord, id: string): readonly string[] {
  return lists !== undefined && Object.hasOwn(lists, id) ? (lists[id] ?? []) : []
}

/** @throws BalanceError BALANCE_MISSING if an earlier run for the list had a balance that isn't among `given`. */
export function assertComplete(
  records: readonly BalanceRecord[],
  given: ReadonlySet<string>,
  id: string,
): void {
  const members = records.flatMap((record) => membersOf(record, id))
  if (members.every((member) => given.has(member))) return
  throw new BalanceError(
    'BALANCE_MISSING',
    'this list was begun with further balances, which may have paid some of its lines: name all of these balances',
  )
}
