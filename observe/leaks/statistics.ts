import type { SeededRandom } from '../../sim/time/seeded-random.ts'

/** The probability that a chi-square variable is at least `value`, by the approximation of Wilson and Hilferty. */
export function chiSquareTail(value: number, degrees: number): number {
  const spread = 2 / (9 * degrees)
  const normal = (Math.cbrt(value / degrees) - (1 - spread)) / Math.sqrt(spread)
  return normalTail(normal)
}

/** The probability that a standard normal variable is at least this large (Abramowitz and Stegun, 26.2.17). */
function normalTail(value: number): number {
  if (value < 0) return 1 - normalTail(-value)
  const t = 1 / (1 + 0.231_641_9 * value)
  const polynomial =
    t *
    (0.319_381_53 +
      t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))))
  return (Math.exp((-value * value) / 2) / Math.sqrt(2 * Math.PI)) * polynomial
}

const SHUFFLES = 9_999

/**
 * A permutation test. Returns the probability that the statistic is at least as large after `right` is shuffled. The
 * test stops early if the probability is clearly not small.
 */
export function shuffledChance<Left, Right>(
  left: readonly Left[],
  right: readonly Right[],
  statistic: (left: readonly Left[], right: readonly Right[]) => number,
  random: SeededRandom,
): number {
  const found = statistic(left, right)
  const shuffled = [...right]
  let [reached, made] = [0, 0]
  while (made < SHUFFLES && reached < REACHED_MAX) {
    shuffle(shuffled, random)
    made += 1
    if (statistic(left, shuffled) >= found - ROUNDING) reached += 1
  }
  return (reached + 1) / (made + 1)
}

const REACHED_MAX = 20
const ROUNDING = 1e-9

function shuffle<Item>(items: Item[], random: SeededRandom): void {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const place = random.below(last + 1)
    const moved = items[last] as Item
    items[last] = items[place] as Item
    items[place] = moved
  }
}

/**
 * How much one list of labels reveals about another list: their mutual information in nats, multiplied by the lists'
 * length.
 */
export function dependence(left: readonly string[], right: readonly string[]): number {
  const both = new Map<string, number>()
  const [ofLeft, ofRight] = [new Map<string, number>(), new Map<string, number>()]
  const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)
  for (const [place, label] of left.entries()) {
    const other = right[place] ?? ''
    count(both, `${label}\n${other}`)
    count(ofLeft, label)
    count(ofRight, other)
  }
  let sum = 0
  for (const [key, joint] of both) {
    const [label = '', other = ''] = key.split('\n')
    const apart = (ofLeft.get(label) ?? 0) * (ofRight.get(other) ?? 0)
    sum += joint * Math.log((joint * left.length) / apart)
  }
  return sum
}
