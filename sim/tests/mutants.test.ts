import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { huntMutant } from '../cli/run-mutants.ts'
import { MUTANTS } from '../mutants/mutants.ts'

/** Each found by the first seed; all of them run with `npm run sim -- --mutants`. */
const CHEAP = [
  'skips_the_journal',
  'gives_up_before_the_expiry',
  'moves_the_cursor_without_the_leaves',
]

describe('mutants', () => {
  it.each(MUTANTS)('$name changes texts that stand in the code exactly once', ({ edits }) => {
    for (const { path, find } of edits) {
      const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
      expect(text.split(find)).toHaveLength(2)
    }
  })

  it.each(MUTANTS.filter(({ name }) => CHEAP.includes(name)))('$name is found', async (mutant) => {
    const { foundBy } = await huntMutant(mutant, 1)
    expect(foundBy).toBeDefined()
  })
})
