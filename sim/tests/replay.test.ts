import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { runSeed } from '../run/run-seed.ts'

const KEPT = JSON.parse(
  readFileSync(new URL('../seeds.json', import.meta.url), 'utf8'),
) as readonly { readonly seed: number; readonly why: string }[]
/** Number of kept seeds that run with every change. */
const KEPT_AND_USUAL = 12
const SEEDS = KEPT.map(({ seed }) => seed)

const run = (seed: number) => runSeed({ seed, without: new Set(), isTraced: true })

describe('simulator', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  // The long test runs the other kept seeds.
  it.each(KEPT.slice(0, KEPT_AND_USUAL))(
    'breaks no rule with seed $seed ($why)',
    async ({ seed }) => {
      const { violation, orders, lines } = await run(seed)
      expect(violation).toBeUndefined()
      expect(orders).toBeGreaterThan(0)
      expect(lines.length).toBeGreaterThan(1_000)
    },
  )

  it('replays a seed exactly without the real clock, timers and random numbers', async () => {
    const leaks: string[] = []
    const forbid = (name: string) => () => {
      leaks.push(name)
      return 0
    }
    const first = await run(SEEDS[0]!)
    vi.spyOn(Date, 'now').mockImplementation(forbid('Date.now'))
    vi.spyOn(Math, 'random').mockImplementation(forbid('Math.random'))
    vi.spyOn(performance, 'now').mockImplementation(forbid('performance.now'))
    vi.stubGlobal('setTimeout', forbid('setTimeout'))
    vi.stubGlobal('setInterval', forbid('setInterval'))
    vi.stubGlobal('setImmediate', forbid('setImmediate'))
    const second = await run(SEEDS[0]!)
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    expect(leaks).toEqual([])
    expect(second.digest).toBe(first.digest)
    expect((await run(SEEDS[1]!)).digest).not.toBe(first.digest)
  })
})
