import type { Random } from '../../ports/random.ts'

/** Returns the same items in a random order. */
export function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = random.below(last + 1)
    const [a, b] = [result[last] as T, result[other] as T]
    result[last] = b
    result[other] = a
  }
  return result
}
