import type { DrawnOrder } from '../soak/draw-orders.ts'
import type { Ordered } from './customer.ts'

/**
 * Groups of the drill's orders. A group depends on the orders' statuses at the loss of the database, and on what their
 * users do next.
 */
export const GROUPS = [
  'settled before the backup',
  'placed and paid during the backup',
  'placed before the backup, paid after the backup',
  'placed before the backup, never paid',
  'settled after the backup',
  'paid after the backup',
  'placed after the backup, paid while all processes were stopped',
  'placed after the backup, paid after the database was rebuilt',
  'placed after the backup, never paid',
  'new after the restore',
] as const
export type Group = (typeof GROUPS)[number]

const UNPAID: readonly Group[] = [
  'placed before the backup, never paid',
  'placed after the backup, never paid',
]

/** The orders of a run by group. All groups have about the same number of orders. */
export class RestoreOrders {
  readonly #drawn = new Map<Group, DrawnOrder[]>()
  readonly placed = new Map<Group, Ordered[]>()

  constructor(drawn: readonly DrawnOrder[]) {
    for (const [index, one] of drawn.entries()) {
      const group = GROUPS[index % GROUPS.length] as Group
      const fate = UNPAID.includes(group) ? 'abandoned' : 'prompt'
      this.#drawn.set(group, [...this.drawn(group), { ...one, fate }])
    }
  }

  drawn(group: Group): readonly DrawnOrder[] {
    return this.#drawn.get(group) ?? []
  }

  of(...groups: readonly Group[]): readonly Ordered[] {
    return groups.flatMap((group) => this.placed.get(group) ?? [])
  }

  add(group: Group, ordered: readonly Ordered[]): void {
    this.placed.set(group, [...this.of(group), ...ordered])
  }
}
