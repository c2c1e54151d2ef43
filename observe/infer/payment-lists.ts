import { type SeenSettlement } from '../chain/sightings.ts'
import type { LinkProblem } from './link-problem.ts'
import { GAP_SECONDS, LENGTH_MAX } from './list-limits.ts'

const LENGTH_MIN = 3
/**
 * Two lists belong together if they share at least this many payees. The shared payees must be at least half of the
 * payees of the shorter list.
 */
const SHARED_MIN = 3

/**
 * Payments of one asset that follow each other within seconds, such as the payments of a payroll. Each payment is given
 * by its settlement's index.
 */
export type PaymentList = readonly number[]

/** Finds sequences of payments that may be lists. Payments with only one possible deposit are left out. */
export function findLists({ payments, ways }: LinkProblem): PaymentList[] {
  const lists: number[][] = []
  const current = new Map<string, { list: number[]; seconds: number }>()
  const isPart = ({ index }: SeenSettlement): boolean => ways[index]?.length !== 1
  for (const payment of payments.filter(isPart)) {
    const { asset, seconds, index } = payment
    const known = current.get(asset)
    if (known !== undefined && seconds - known.seconds <= GAP_SECONDS) {
      known.list.push(index)
      known.seconds = seconds
      continue
    }
    const list = [index]
    lists.push(list)
    current.set(asset, { list, seconds })
  }
  return lists.filter(({ length }) => length >= LENGTH_MIN && length <= LENGTH_MAX)
}

/**
 * Groups lists that share payees, because one payer probably pays these payees again and again. A list keeps only the
 * payments to payees that also occur in another list of its group.
 */
export function findSeries(
  lists: readonly PaymentList[],
  payeeOf: readonly number[],
): PaymentList[][] {
  const groups: PaymentList[][] = []
  const payeesOf = (list: PaymentList) => new Set(list.map((one) => payeeOf[one] ?? 0))
  for (const list of lists) {
    const own = payeesOf(list)
    const group = groups.find(([first = []]) => {
      const others = payeesOf(first)
      const shared = [...own].filter((payee) => others.has(payee)).length
      return shared >= SHARED_MIN && 2 * shared >= Math.min(own.size, others.size)
    })
    if (group === undefined) groups.push([list])
    else group.push(list)
  }
  return groups
    .filter(({ length }) => length > 1)
    .map((group) =>
      group.map((list) => list.filter((one) => isShared(group, list, payeeOf[one] ?? 0, payeeOf))),
    )
}

const isShared = (
  group: readonly PaymentList[],
  own: PaymentList,
  payee: number,
  payeeOf: readonly number[],
): boolean => group.some((list) => list !== own && list.some((one) => payeeOf[one] === payee))
