import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { runSeed } from '../run/run-seed.ts'

/** A seed that failed once, or that shows an ordinary run. */
export interface KeptSeed {
  readonly seed: number
  readonly why: string
}

const KEPT = JSON.parse(
  readFileSync(new URL('../seeds.json', import.meta.url), 'utf8'),
) as readonly KeptSeed[]
/** Number of kept seeds that the usual tests run. */
const USUAL = 6
/** The kept seeds that the usual tests run. */
export const USUAL_SEEDS = KEPT.slice(0, USUAL)
/** The kept seeds that the long tests run. */
export const OTHER_SEEDS = KEPT.slice(USUAL)

export const runTraced = (seed: number) => runSeed({ seed, without: new Set(), isTraced: true })

/** Runs a kept seed, which must break no rule. */
export async function expectNoViolation({ seed }: KeptSeed): Promise<void> {
  const { violation, orders, lines } = await runTraced(seed)
  expect(violation).toBeUndefined()
  expect(orders).toBeGreaterThan(0)
  expect(lines.length).toBeGreaterThan(1_000)
}
