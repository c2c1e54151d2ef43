import { describe, expect, it } from 'vitest'
import { linkInWords, privacyInWords } from './privacy-in-words.ts'

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

describe('the description of a transfer’s privacy', () => {
  it.each([
    [1, '1', 'yes'],
    [1, undefined, 'yes'],
    [1, '0.829', 'most likely, 83 %'],
    [3, '0.3', 'with a chance of 30 %'],
    [4, '0.241', 'with a chance of 25 %'],
  ])('says, for %s wallets and a chance of %s: %s', (set, chance, verdict) => {
    expect(wordsOf(set, chance).verdict).toBe(verdict)
  })

  it('gives the reason for the chance', () => {
    expect(wordsOf(1, '1').reason).toContain('No one else’s payment of this amount')
    expect(wordsOf(1, '0.829').reason).toContain('Too few others')
    // Other wallets may send the same amount. But after an immediate delivery, the time alone links the transfer to its
    // deposit.
    const atOnce = wordsOf(1, '1', { windowSeconds: 0 })
    expect(atOnce.reason).toContain('The times show')
    expect(atOnce.reason).not.toContain('No one else')
    expect(wordsOf(3, '0.3').reason).toContain('at least 3 wallets')
  })

  it('says that a transfer to the sending wallet hides nothing, whatever the quote states', () => {
    const privacy = { anonymitySet: 40, windowSeconds: 1_800, suggestedAmounts: [] }
    const stated = { privacy, linkProbability: '0.03', waitingHelps: true }
    const wallets = { senderAddress: 'wallet', recipientAddress: 'wallet', minCrowd: 5 }
    const words = privacyInWords(stated, wallets)
    expect(words).toMatchObject({ hiding: 'none', wallets: 1, verdict: 'yes', delay: undefined })
    expect(words.reason).toContain('your own wallet')
    const other = privacyInWords(stated, { ...wallets, recipientAddress: 'other' })
    expect(other).toMatchObject({ hiding: 'small', wallets: 5 })
  })

  it('explains a chance that is lower than 1 divided by the number of wallets', () => {
    expect(wordsOf(3, '0.18').reason).toContain('a chance of 33 %. Most likely there are more')
    expect(wordsOf(3, '0.18').reason).toContain('so the chance is 18 %')
    expect(wordsOf(4, '0.25').reason).not.toContain('%')
    expect(wordsOf(3, '0.36').reason).not.toContain('%')
  })

  it('states the requested crowd if the request asks for a refund when no such crowd comes', () => {
    const privacy = { anonymitySet: 1, windowSeconds: 1_800, suggestedAmounts: [] }
    const alone = { privacy, linkProbability: '1', waitingHelps: false }
    const waiting = privacyInWords(alone, { minCrowd: 5, crowdMissed: 'refund' })
    expect(waiting).toMatchObject({ hiding: 'small', wallets: 5 })
    expect(waiting.verdict).toBe('with a chance of about 20 %')
    expect(privacyInWords(alone, { minCrowd: 3 }).verdict).toBe('with a chance of about 34 %')
    expect(waiting.reason).toContain('only while at least 5 wallets')
    expect(waiting.reason).toContain('no such crowd now')
    expect(waiting.reason).toContain('all of the money comes back')
    expect(waiting.delay).toBeUndefined()
    expect(privacyInWords(alone, { minCrowd: 5 })).toEqual(waiting)
    const among = (anonymitySet: number) =>
      privacyInWords({ ...alone, privacy: { ...privacy, anonymitySet } }, { minCrowd: 5 })
    expect(among(3).reason).toContain('Now at least 3 wallets')
    expect(among(7).wallets).toBe(5)
    expect(among(7).reason).toContain('There is such a crowd now')
  })

  it('warns that a transfer can be linked if it is delivered without its crowd', () => {
    const asked = { minCrowd: 5, crowdMissed: 'deliver' } as const
    const wordsFor = (anonymitySet: number) => {
      const privacy = { anonymitySet, windowSeconds: 1_800, suggestedAmounts: [] }
      const stated = { privacy, linkProbability: anonymitySet < 5 ? '1' : '0.2' }
      return privacyInWords(stated, asked)
    }
    expect(wordsFor(4)).toMatchObject({
      hiding: 'none',
      wallets: 1,
      verdict: 'yes, if no crowd comes',
    })
    expect(wordsFor(4).reason).toContain('at a time that anyone can compute')
    expect(wordsFor(5)).toMatchObject({ hiding: 'small', verdict: 'with a chance of 20 %' })
  })

  it('warns that an earlier payment to the recipient can reveal the sender, whatever the amount and the crowd are', () => {
    const privacy = { anonymitySet: 1, windowSeconds: 1_800, suggestedAmounts: [] }
    const suggestions = [2, 5].map((anonymitySet) => {
      return { ...{ amount: '1', amountOut: '1' }, anonymitySet, linkProbability: '0.4' }
    })
    const byAmount = { anonymitySet: 3, linkProbability: '0.3', waitingHelps: true }
    const stated = { privacy, linkProbability: '1', waitingHelps: false, suggestions }
    const words = privacyInWords({ ...stated, recipientPaidBefore: true, byAmount })
    const first = privacyInWords({
      ...stated,
      privacy: { ...privacy, anonymitySet: 3 },
      ...byAmount,
    })
    expect(words).toMatchObject({ hiding: 'none', wallets: 1, amounts: [suggestions[1]] })
    expect(words.verdict).toBe(
      'yes, if you have paid this recipient before. If not: with a chance of 30 %',
    )
    expect(words.reason).toContain(first.reason)
    expect(words.reason).toContain('find the wallet that made both')
    expect(words.delay).toBe(
      `${first.delay} If you have paid this recipient before, only a new address of theirs helps.`,
    )
    const inCrowd = { minCrowd: 5, crowdMissed: 'refund' } as const
    expect(
      privacyInWords({ ...stated, recipientPaidBefore: true, byAmount }, inCrowd),
    ).toMatchObject({
      ...{ hiding: 'none', wallets: 1 },
      verdict: 'yes, if you have paid this recipient before. If not: with a chance of about 20 %',
    })
  })

  it('keeps every warning about the amount if the recipient was paid before', () => {
    const stated = {
      privacy: { anonymitySet: 1, windowSeconds: 0, suggestedAmounts: [] },
      ...{ linkProbability: '1', waitingHelps: false },
    }
    const first = privacyInWords(stated)
    const again = privacyInWords({
      ...{ ...stated, recipientPaidBefore: true },
      byAmount: { anonymitySet: 1, linkProbability: '1', waitingHelps: false },
    })
    expect(again).toMatchObject({ hiding: 'none', verdict: 'yes' })
    expect(again.reason).toContain(first.reason)
    expect(again.delay).toContain(first.delay)
    // A payment out of a balance has no statement about the amount.
    expect(privacyInWords({ ...stated, recipientPaidBefore: true }).verdict).toBe('yes')
    const missed = privacyInWords(
      { ...stated, recipientPaidBefore: true },
      { minCrowd: 5, crowdMissed: 'deliver' },
    )
    expect(missed.verdict).toContain('yes, if no crowd comes')
    expect(missed.reason).toContain('at a time that anyone can compute')
  })

  it('says that a crowd hides only a single payment to a recipient', () => {
    const ONCE = 'only if you pay this recipient just once'
    expect([wordsOf(3, '0.3').reason, wordsOf(3, '0.18').reason]).toEqual([
      expect.stringContaining(ONCE),
      expect.stringContaining(ONCE),
    ])
    const privacy = { anonymitySet: 1, windowSeconds: 1_800, suggestedAmounts: [] }
    expect(privacyInWords({ privacy }, { minCrowd: 5 }).reason).toContain(ONCE)
    expect(wordsOf(1, '1').reason).not.toContain(ONCE)
  })

  it('proposes only amounts with a larger anonymity set than the chosen amount', () => {
    const one = (anonymitySet: number) => ({ amount: '1', amountOut: '1', anonymitySet })
    const suggestions = [1, 2, 3].map((set) => ({ ...one(set), linkProbability: '1' }))
    const amountsFor = (anonymitySet: number) =>
      privacyInWords({
        ...{ privacy: { anonymitySet, windowSeconds: 0, suggestedAmounts: [] }, suggestions },
      }).amounts.map((amount) => amount.anonymitySet)
    expect([1, 2, 3].map(amountsFor)).toEqual([[2, 3], [3], []])
  })

  it('rates the hiding by the size of the crowd', () => {
    expect([1, 2, 9, 10].map((set) => wordsOf(set, '0.1').hiding)).toEqual([
      ...['none', 'small', 'small', 'large'],
    ])
  })

  const NO_CHANCES = [undefined, '1', '1.000', '1.0', '0.000', '0.', '0.1234', '.5', '5e-1', '']
  it.each<readonly [set: number, chance: string | undefined, wallets: number, verdict: string]>([
    [32, '0.83', 1, 'most likely, 83 %'],
    [32, '0.5', 2, 'with a chance of 50 %'],
    [32, '0.1', 20, 'with a chance of 10 %'],
    [32, '0.08', 32, 'with a chance of 8 %'],
    [2.5, '0.5', 1, 'most likely, 50 %'],
    ...NO_CHANCES.map((chance) => [32, chance, 1, 'yes'] as const),
  ])(
    'believes the worse statement if %s wallets don’t fit a chance of %s',
    (set, chance, wallets, verdict) => {
      const words = wordsOf(set, chance)
      expect(words).toMatchObject({ wallets, verdict })
      expect(words.hiding).toBe(wallets === 1 ? 'none' : wallets < 10 ? 'small' : 'large')
    },
  )

  it.each([
    ['no delay', { minDelaySeconds: 0, maxDelaySeconds: 0 }],
    ['no delay and a crowd', { maxDelaySeconds: 0, minCrowd: 5, crowdMissed: 'refund' }],
    ['a shorter delay', { maxDelaySeconds: 60 }],
    ['a delay that is not random', { minDelaySeconds: 1_800 }],
  ] as const)('never says that a transfer hides if the request asks for %s', (_asked, asked) => {
    const privacy = { anonymitySet: 32, windowSeconds: 1_800, suggestedAmounts: [] }
    const words = privacyInWords({ privacy, linkProbability: '0.031' }, asked)
    expect(words).toMatchObject({ hiding: 'none', wallets: 1, verdict: 'yes' })
    expect(words.reason).toMatch(/[Tt]he times show/)
    expect(words.delay).toContain('usual delivery time')
  })

  it('proposes a longer delay only if it helps', () => {
    expect(wordsOf(1, '0.9').delay).toContain('A longer delivery time helps a little')
    expect(wordsOf(1, '0.9', { windowSeconds: 60 }).delay).toContain('usual delivery time, so that')
    expect(wordsOf(1, '1', { waitingHelps: false }).delay).toContain('doesn’t help')
    expect(wordsOf(1, '0.9', { windowSeconds: 3_000 }).delay).toBeUndefined()
    const atOnce = wordsOf(1, '1', { windowSeconds: 0, waitingHelps: false })
    expect(atOnce.delay).toContain('usual delivery time')
  })
})

it('says whether an order can be linked', () => {
  const status = 'deposited'
  expect(linkInWords({ status, linkProbability: '1' })).toBe('Yes, with certainty.')
  expect(linkInWords({ status, linkProbability: '0.249' })).toBe('With a chance of 25 %.')
  expect(linkInWords({ status, linkProbability: '1.000' })).toBe('Yes, with certainty.')
  expect(linkInWords({ status })).toBeUndefined()
  for (const ended of ['refunding', 'refunded', 'expired'] as const) {
    expect(linkInWords({ status: ended, linkProbability: '0.249' })).toBeUndefined()
  }
  const terms = { leafIndex: 0, payee: '', payout: '1', fee: '0', change: '0', validUntil: '' }
  expect(linkInWords({ status, linkProbability: '1', payment: terms })).toBeUndefined()
})
