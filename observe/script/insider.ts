import type { SeededRandom } from '../../sim/time/seeded-random.ts'
import type { Sightings } from '../chain/sightings.ts'
import { hexOf, type Ledger } from '../load/ledger.ts'
import type { Inside } from '../observe-chain.ts'

/**
 * Draws the orders of an insider: a partner or a large customer, who knows the true links of `percent` per cent of all
 * deposits. Removes the deposits and the settlements of these orders from the sightings. So the other orders hide only
 * among each other.
 */
export function withoutInsider(
  sightings: Sightings,
  { links, refunds = [] }: Ledger,
  percent: number,
  random: SeededRandom,
): Inside {
  const { deposits, settlements } = sightings
  const own = new Map(
    deposits
      .filter(() => random.below(PERCENT) < percent)
      .map(({ orderId, sender }) => [hexOf(orderId), sender]),
  )
  const known = new Map(
    [...links, ...refunds].flatMap(({ settlement, orderId }) => {
      const wallet = own.get(orderId)
      return wallet === undefined ? [] : [[settlement, wallet] as const]
    }),
  )
  const paid = settlements.flatMap(({ signature, payee, isRefund }) => {
    const wallet = known.get(signature)
    return wallet === undefined || isRefund ? [] : [{ wallet, payee }]
  })
  return {
    paid,
    sightings: {
      ...sightings,
      deposits: numbered(deposits.filter(({ orderId }) => !own.has(hexOf(orderId)))),
      settlements: numbered(settlements.filter(({ signature }) => !known.has(signature))),
    },
  }
}

const PERCENT = 100

const numbered = <Item extends { readonly index: number }>(items: readonly Item[]): Item[] =>
  items.map((item, index) => ({ ...item, index }))
