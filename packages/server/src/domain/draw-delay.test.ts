import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { drawDelayMs } from './draw-delay.ts'

/** The random number generator Mulberry32. If a check fails, its message contains the seed. */
function seeded(seed: number) {
  let state = seed
  const word = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  return { below: (bound: number) => Math.floor((word() / 2 ** 32) * bound), bytes: Buffer.alloc }
}

const DRAWS = 20_000
const CELLS = 20
/** In one of 100,000 runs, a chi-square value with 19 degrees of freedom exceeds this bound. */
const CHI_SQUARE_MAX = 58

/** The share of delays of at most `ms`, by the formula for whole milliseconds. */
const shareUpTo = (ms: number, widthMs: number, meanMs: number): number =>
  Math.expm1(-(ms + 1) / meanMs) / Math.expm1(-(widthMs + 1) / meanMs)

/** A quantile: the given share of all delays is at most this long. */
const quantile = (share: number, widthMs: number, meanMs: number): number =>
  -meanMs * Math.log1p(share * Math.expm1(-(widthMs + 1) / meanMs))

it.each([
  ['a window of six means', 1_800_000, 300_000],
  ['a window shorter than the mean', 60_000, 300_000],
  ['a window of a mean and a half', 450_000, 300_000],
  ['a window of many means', 3_600_000, 20_000],
])('draws exponential delays, cut off at the end of %s', (_name, widthMs, meanMs) => {
  const seed = randomInt(2 ** 31)
  const random = seeded(seed)
  const cells = new Array<number>(CELLS).fill(0)
  const expected = Array.from({ length: CELLS }, (_, cell) => {
    const end = (share: number) => Math.floor(quantile(share, widthMs, meanMs)) - 1
    const [low, high] = [cell === 0 ? -1 : end(cell / CELLS), end((cell + 1) / CELLS)]
    const upTo = cell === CELLS - 1 ? widthMs : high
    return {
      upTo,
      draws: DRAWS * (shareUpTo(upTo, widthMs, meanMs) - shareUpTo(low, widthMs, meanMs)),
    }
  })
  let sum = 0
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const delayMs = drawDelayMs(random, widthMs, meanMs)
    sum += delayMs
    const cell = expected.findIndex(({ upTo }) => delayMs <= upTo)
    cells[cell] = (cells[cell] ?? 0) + 1
  }
  const chiSquare = expected.reduce(
    (total, { draws }, cell) => total + ((cells[cell] ?? 0) - draws) ** 2 / draws,
    0,
  )
  expect(chiSquare, `seed ${seed}`).toBeLessThan(CHI_SQUARE_MAX)
  // The formula for the mean of an exponential distribution whose longest values are cut off.
  const mean = meanMs - widthMs / Math.expm1(widthMs / meanMs)
  expect(Math.abs(sum / DRAWS - mean), `seed ${seed}`).toBeLessThan((5 * meanMs) / Math.sqrt(DRAWS))
})

it('every delay is a whole number of milliseconds within the window', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 86_400_000 }),
      fc.integer({ min: 1, max: 86_400_000 }),
      fc.nat({ max: 2 ** 31 - 1 }),
      (widthMs, meanMs, seed) => {
        const delayMs = drawDelayMs(seeded(seed), widthMs, meanMs)
        expect(Number.isSafeInteger(delayMs)).toBe(true)
        expect(delayMs).toBeGreaterThanOrEqual(0)
        expect(delayMs).toBeLessThanOrEqual(widthMs)
      },
    ),
  )
})

it('every possible delay of a short window is drawn at some point', () => {
  const random = seeded(1)
  const drawn = new Set(Array.from({ length: 1_000 }, () => drawDelayMs(random, 5, 3)))
  expect([...drawn].sort()).toEqual([0, 1, 2, 3, 4, 5])
})

it('a window without width needs no random number', () => {
  const none = { below: () => expect.unreachable(), bytes: Buffer.alloc }
  expect(drawDelayMs(none, 0, 300_000)).toBe(0)
})
