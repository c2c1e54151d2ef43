import type { Guess } from './attacker.ts'

export interface Verdict {
  readonly clue: string
  /** Deposits whose settlement was guessed correctly. */
  readonly right: number
}

/**
 * The clues that reveal more than chance does. If all deposits are matched with settlements at random, on average one
 * match is right, however many there are. The chance that `least` or more are right is about 1 / `least` factorial.
 */
export function betterThanChance(
  guesses: readonly Guess[],
  truth: ReadonlyMap<string, number>,
  least: number,
): Verdict[] {
  return guesses.flatMap(({ clue, settlementOf }) => {
    const last = settlementOf.size - 1
    const right = [...settlementOf].filter(([id, index]) => truth.get(id) === index).length
    // A sequence may also run backwards.
    const reversed = [...settlementOf].filter(([id, index]) => truth.get(id) === last - index)
    const best = Math.max(right, reversed.length)
    return best >= least ? [{ clue, right: best }] : []
  })
}
