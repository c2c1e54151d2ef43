import { grossOf, type SeenSettlement } from '../chain/sightings.ts'

const WHOLE_BPS = 10_000n
const BPS_MAX = 300n

const shareOf = (gross: bigint, bps: bigint): bigint => (gross * bps + WHOLE_BPS - 1n) / WHOLE_BPS

/** The label of a fee that equals the asset's tariff. */
export const USUAL_FEE = 'usual'

/**
 * Estimates each asset's tariff: the basis points for which most settlements have the same network fee. Then labels
 * each settlement with `usual` if its fee equals the tariff, and with the difference otherwise. Settlements that may
 * open an account have a different network fee.
 */
export function feeClasses(settlements: readonly SeenSettlement[]): Map<number, string> {
  const classes = new Map<number, string>()
  const groups = new Map<string, SeenSettlement[]>()
  for (const one of settlements) {
    // A settlement has no fee if its owner made it without the service.
    if (one.isRefund || one.fee === 0n) continue
    groups.set(one.asset, [...(groups.get(one.asset) ?? []), one])
  }
  for (const group of groups.values()) {
    let best: Explained = { agreeing: 0, labels: new Map() }
    for (let bps = 0n; bps <= BPS_MAX; bps += 1n) {
      const explained = explain(group, bps)
      if (explained.agreeing > best.agreeing) best = explained
    }
    for (const [index, label] of best.labels) classes.set(index, label)
  }
  return classes
}

interface Explained {
  readonly agreeing: number
  readonly labels: ReadonlyMap<number, string>
}

function explain(group: readonly SeenSettlement[], bps: bigint): Explained {
  const rests = new Map<string, Map<bigint, number>>()
  const keyOf = ({ layout }: SeenSettlement): string => `${layout.opensAccount}`
  const restOf = (one: SeenSettlement): bigint => one.fee - shareOf(grossOf(one), bps)
  for (const one of group) {
    const counts = rests.get(keyOf(one)) ?? new Map<bigint, number>()
    rests.set(keyOf(one), counts.set(restOf(one), (counts.get(restOf(one)) ?? 0) + 1))
  }
  const usual = new Map<string, bigint>()
  let agreeing = 0
  for (const [key, counts] of rests) {
    const [most] = [...counts].sort(([, left], [, right]) => right - left)
    if (most === undefined) continue
    usual.set(key, most[0])
    agreeing += most[1]
  }
  const labels = new Map(
    group.map((one) => [
      one.index,
      restOf(one) === usual.get(keyOf(one)) ? USUAL_FEE : 'different',
    ]),
  )
  return { agreeing, labels }
}
