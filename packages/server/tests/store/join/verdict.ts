import type { Guess } from './attacker.ts'

export interface Verdict {
  readonly clue: string
  /** Number of deposits whose settlement was guessed correctly. */
  readonly right: number
}

/**
 * Returns the clues that reveal more than chance does. If the deposits are matched with the settlements at random, one
 * match is right on average, for any number of deposits. The chance that `least` or more matches are right is about 1 /
 * `least` factorial. The reverse sequence is tried too, which doubles this chance.
 */
export function betterThanChance(
  guesses: readonly Guess[],
  truth: ReadonlyMap<string, number>,
  least: number,
): Verdict[] {
  return guesses.flatMap(({ clue, settlementOf }) => {
    const last = settlementOf.size - 1
    const right = [...settlementOf].filter(([id, index]) => truth.get(id) === index).length
    // A sequence may also be in reverse order.
    const reversed = [...settlementOf].filter(([id, index]) => truth.get(id) === last - index)
    const best = Math.max(right, reversed.length)
    return best >= least ? [{ clue, right: best }] : []
  })
}
