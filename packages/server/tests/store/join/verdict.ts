import type { Guess } from './attacker.ts'

export interface Verdict {
  readonly clue: string
  /** Deposits whose settlement was guessed correctly. */
  readonly right: number
}

/**
 * The clues that reveal more than chance does. For any number of orders, on average one of the random guesses is right.
 * By chance, `least` guesses are right once in about `least` factorial tries.
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
