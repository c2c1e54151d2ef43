import { randomInt } from 'node:crypto'

/** The largest seed, for the option and for random seeds. */
export const SEED_MAX = 2 ** 31 - 1

/** The options, with a random seed if none was given. */
export function withSeed<Given extends { readonly seed?: number }>(
  given: Given,
): Given & { readonly seed: number } {
  return { ...given, seed: given.seed ?? randomInt(SEED_MAX) }
}
