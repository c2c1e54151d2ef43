import type { World } from '../run/world.ts'

/** Keys of orders that nobody can be paid for until an account is mended. */
export function stragglersOf({ customers }: World): ReadonlySet<string> {
  const stuck = customers.filter(({ isStuck }) => isStuck)
  return new Set(stuck.flatMap(({ order }) => order?.key ?? []))
}
