import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { showTime } from '../pages/look/durations.ts'

const NOON = new Date(2026, 10, 30, 12, 0, 0)
const daysLater = (days: number): string =>
  new Date(NOON.getTime() + days * 86_400_000).toISOString()

beforeEach(() => vi.useFakeTimers({ now: NOON, toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

it('a time of another day is shown with its day', () => {
  const today = showTime(daysLater(0))
  expect(today).toMatch(/^\d{2}:\d{2}/)
  for (const days of [-7, -1, 1]) {
    const other = showTime(daysLater(days))
    expect(other).not.toBe(today)
    expect(other).toContain(today)
    expect(other).toContain('2026')
  }
})
