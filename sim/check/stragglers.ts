import type { World } from '../run/world.ts'

/** Keys of orders that can't be paid to anyone until an account is repaired. */
export function stragglersOf({ customers }: World): ReadonlySet<string> {
  const stuck = customers.filter(({ isStuck }) => isStuck)
  return new Set(stuck.flatMap(({ order }) => order?.key ?? []))
}
