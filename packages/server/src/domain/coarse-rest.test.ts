import { expect, it } from 'vitest'
import { coarseRest } from './coarse-rest.ts'

it('states the rest of a whole in eighths, and a smaller rest in halves of an eighth', () => {
  const rests = [0n, 1n, 124n, 125n, 126n, 500n, 501n, 874n, 875n, 876n, 937n, 938n, 998n, 1_000n]
  expect(rests.map((taken) => [taken, coarseRest(1_000n, taken)])).toEqual([
    [0n, 1_000n],
    [1n, 875n],
    [124n, 875n],
    [125n, 875n],
    [126n, 750n],
    [500n, 500n],
    [501n, 375n],
    [874n, 125n],
    [875n, 125n],
    [876n, 62n],
    [937n, 62n],
    [938n, 31n],
    [998n, 1n],
    [1_000n, 0n],
  ])
})

it('is at most the rest, and at least about half of it', () => {
  for (const whole of [1n, 7n, 8n, 1_001n, 2n ** 64n - 1n]) {
    for (const taken of [0n, 1n, whole / 3n, whole - 1n, whole, whole + 1n]) {
      const rest = whole - taken
      const shown = coarseRest(whole, taken)
      expect(shown).toBeLessThanOrEqual(rest > 0n ? rest : 0n)
      expect(shown * 2n + 2n).toBeGreaterThanOrEqual(rest)
    }
  }
})
