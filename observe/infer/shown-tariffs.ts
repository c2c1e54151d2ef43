import { grossOf, type SeenSettlement } from '../chain/sightings.ts'

const WHOLE_BPS = 10_000n
const BPS_MAX = 300n
/** A network fee counts as part of a tariff only if settlements of at least this many different amounts show it. */
const AMOUNTS_MIN = 3

const shareOf = (gross: bigint, bps: bigint): bigint => (gross * bps + WHOLE_BPS - 1n) / WHOLE_BPS

/**
 * For each settlement, by its index: the network fee of its tariff, in base units. Undefined if the settlement has no
 * fee, or if its fee belongs to no tariff. The fee of a settlement is a share of its amount plus a network fee. The
 * share in basis points is estimated for each asset: with the right share, the most settlements have a common network
 * fee.
 */
export function shownTariffs(settlements: readonly SeenSettlement[]): (bigint | undefined)[] {
  const groups = new Map<string, SeenSettlement[]>()
  for (const one of settlements) {
    // A payment has no fee if the balance's owner made it without the service.
    if (one.isRefund || one.fee === 0n) continue
    const known = groups.get(one.asset)
    if (known === undefined) groups.set(one.asset, [one])
    else known.push(one)
  }
  const shown = new Array<bigint | undefined>(settlements.length).fill(undefined)
  for (const group of groups.values()) {
    for (const [index, networkFee] of bestExplanation(group)) shown[index] = networkFee
  }
  return shown
}

/** The network fees for the share that leaves the fewest settlements unexplained. */
function bestExplanation(group: readonly SeenSettlement[]): Map<number, bigint> {
  let best = new Map<number, bigint>()
  for (let bps = 0n; bps <= BPS_MAX; bps += 1n) {
    const explained = explain(group, bps)
    if (explained.size > best.size) best = explained
  }
  return best
}

/** The network fees of the settlements that this share explains. */
function explain(group: readonly SeenSettlement[], bps: bigint): Map<number, bigint> {
  const networkFeeOf = (one: SeenSettlement): bigint => one.fee - shareOf(grossOf(one), bps)
  // A settlement that opens the payee's account has a different network fee.
  const keyOf = (one: SeenSettlement): string => `${one.layout.opensAccount} ${networkFeeOf(one)}`
  const amounts = new Map<string, Set<bigint>>()
  for (const one of group) {
    const known = amounts.get(keyOf(one))
    if (known === undefined) amounts.set(keyOf(one), new Set([grossOf(one)]))
    else known.add(grossOf(one))
  }
  return new Map(
    group
      .filter((one) => networkFeeOf(one) >= 0n)
      .filter((one) => (amounts.get(keyOf(one))?.size ?? 0) >= AMOUNTS_MIN)
      .map((one) => [one.index, networkFeeOf(one)] as const),
  )
}

/** Tariffs differ by asset. The network fee also depends on whether the settlement may open the payee's account. */
export const tariffClassOf = ({ asset, layout }: SeenSettlement): string =>
  `${asset} ${layout.opensAccount}`
