import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { huntMutant } from '../cli/run-mutants.ts'
import { MUTANTS } from '../mutants/mutants.ts'

/** A mutant that the first seed finds. `npm run sim -- --mutants` runs all mutants. */
const CHEAP = ['skips_the_journal']

describe('mutants', () => {
  it.each(MUTANTS)('$name replaces texts that occur in the code exactly once', ({ edits }) => {
    for (const { path, find } of edits) {
      const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
      expect(text.split(find)).toHaveLength(2)
    }
  })

  it.each(MUTANTS.filter(({ name }) => CHEAP.includes(name)))(
    'the simulator finds $name',
    async (mutant) => {
      const { foundBy } = await huntMutant(mutant, 1)
      expect(foundBy).toBeDefined()
    },
  )
})
