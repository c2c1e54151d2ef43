import { describe, expect, it } from 'vitest'
import { privacyInWords } from './privacy-in-words.ts'

const wordsOf = (
  anonymitySet: number,
  linkProbability: string | undefined,
  { windowSeconds = 1_800, waitingHelps = true } = {},
) =>
  privacyInWords({
    privacy: { anonymitySet, windowSeconds, suggestedAmounts: [] },
    ...(linkProbability === undefined ? {} : { linkProbability }),
    waitingHelps,
  })

describe('who can link a transfer, in words', () => {
  it.each([
    [1, '1', 'yes'],
    [1, undefined, 'yes'],
    [1, '0.829', 'most likely, 83 %'],
    [3, '0.3', 'with a chance of 30 %'],
    [4, '0.241', 'with a chance of 25 %'],
  ])('for a set of %s and a chance of %s: %s', (set, chance, verdict) => {
    expect(wordsOf(set, chance).verdict).toBe(verdict)
  })

  it('has its reason: the amount, or the time of a delivery at once', () => {
    expect(wordsOf(1, '1').reason).toContain('No one else’s payment of this amount')
    expect(wordsOf(1, '0.829').reason).toContain('Too few others')
    // Others may be sending the amount, but the time alone links a delivery at once.
    const atOnce = wordsOf(1, '1', { windowSeconds: 0 })
    expect(atOnce.reason).toContain('The times show')
    expect(atOnce.reason).not.toContain('No one else')
    expect(wordsOf(3, '0.3').reason).toContain('At least 3 wallets')
  })

  it('depends on the size of the crowd', () => {
    expect([1, 2, 9, 10].map((set) => wordsOf(set, '0.5').hiding)).toEqual([
      ...['none', 'small', 'small', 'large'],
    ])
  })

  it('proposes a longer delay only if it helps', () => {
    expect(wordsOf(1, '0.9').delay).toContain('longer delivery time, so that')
    expect(wordsOf(1, '1', { waitingHelps: false }).delay).toContain('doesn’t help')
    expect(wordsOf(1, '0.9', { windowSeconds: 3_000 }).delay).toBeUndefined()
    const atOnce = wordsOf(1, '1', { windowSeconds: 0, waitingHelps: false })
    expect(atOnce.delay).toContain('usual delivery time')
  })
})
