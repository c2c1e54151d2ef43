import { afterEach, describe, expect, it, vi } from 'vitest'
import { expectNoViolation, runTraced, USUAL_SEEDS } from './kept-seeds.ts'

const [FIRST, SECOND] = USUAL_SEEDS.map(({ seed }) => seed)

describe('simulator', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  it.each(USUAL_SEEDS)('breaks no rule with seed $seed ($why)', expectNoViolation)

  it('replays a seed exactly without the real clock, timers and random numbers', async () => {
    const leaks: string[] = []
    const forbid = (name: string) => () => {
      leaks.push(name)
      return 0
    }
    const first = await runTraced(FIRST!)
    vi.spyOn(Date, 'now').mockImplementation(forbid('Date.now'))
    vi.spyOn(Math, 'random').mockImplementation(forbid('Math.random'))
    vi.spyOn(performance, 'now').mockImplementation(forbid('performance.now'))
    vi.stubGlobal('setTimeout', forbid('setTimeout'))
    vi.stubGlobal('setInterval', forbid('setInterval'))
    vi.stubGlobal('setImmediate', forbid('setImmediate'))
    const second = await runTraced(FIRST!)
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    expect(leaks).toEqual([])
    expect(second.digest).toBe(first.digest)
    expect((await runTraced(SECOND!)).digest).not.toBe(first.digest)
  })
})
