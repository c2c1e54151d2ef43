import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { HARMLESS } from './fixtures/harmless-misuse.ts'
import { LANDS, MISUSED, misuseOf, type Misuse } from './fixtures/misuse.ts'
import { readMisuse } from './fixtures/misuse-page.ts'

/**
 * The seed for the random choice of attempts. To repeat a failed run, set `SOTTO_MISUSE_SEED` to the seed of that run.
 * The long test makes all attempts.
 */
const SEED = Number(process.env['SOTTO_MISUSE_SEED'] ?? Date.now() % 1_000_000_000)
/** Number of attempts of each kind that the test makes. */
const DRAWN = 4
const page = readMisuse(
  readFileSync(fileURLToPath(new URL('../MISUSE.md', import.meta.url)), 'utf8'),
)

let found: readonly (Misuse & { readonly name: string })[]

function draw<T>(all: readonly T[]): readonly T[] {
  const few = { minLength: Math.min(DRAWN, all.length), maxLength: Math.min(DRAWN, all.length) }
  return fc.sample(fc.shuffledSubarray([...all], few), { seed: SEED, numRuns: 1 })[0] ?? []
}

beforeAll(async () => {
  const all: (Misuse & { readonly name: string })[] = []
  for (const name of MISUSED) {
    for (const misuse of await misuseOf(name, draw)) all.push({ name, ...misuse })
  }
  found = all
})

test('a few misuses of each kind and instruction have the outcome that MISUSE.md records', () => {
  expect([...page.keys()]).toEqual(MISUSED)
  for (const { name, subject, kind, results } of found) {
    const known = page.get(name)?.get(`${subject}, ${kind}`)
    expect(known, `${name}: ${subject}, ${kind}; seed ${SEED}`).toEqual(
      expect.arrayContaining([...results]),
    )
  }
})

test('misuses that land are listed as harmless', () => {
  const landed = found.filter(({ results }) => results.includes(LANDS))
  const names = landed.map(({ name, subject, kind }) => `${name} ${subject} ${kind}`)
  expect(Object.keys(HARMLESS), `seed ${SEED}`).toEqual(expect.arrayContaining(names))
})
