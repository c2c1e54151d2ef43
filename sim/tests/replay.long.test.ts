import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runSeed } from '../run/run-seed.ts'

const KEPT = JSON.parse(
  readFileSync(new URL('../seeds.json', import.meta.url), 'utf8'),
) as readonly { readonly seed: number; readonly why: string }[]

it.each(KEPT)('breaks no rule with seed $seed ($why)', async ({ seed }) => {
  const { violation, orders } = await runSeed({ seed, without: new Set(), isTraced: false })
  expect(violation).toBeUndefined()
  expect(orders).toBeGreaterThan(0)
})
