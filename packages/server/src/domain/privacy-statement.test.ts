import type { Address } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lawOf } from './delivery-schedule.ts'
import { pendingDeposits, type PublicEvent } from './observed-deposits.ts'
import { statePrivacy, weightOf } from './privacy-statement.ts'

const USUAL = { minDelaySeconds: 0, meanSeconds: 300, maxDelaySeconds: 1_800 }
const LAW = lawOf(USUAL)
const ALWAYS = { deposits: 1_000, settlements: 1_000 }
const deposit = (atSeconds: number, wallet: string): PublicEvent => ({
  ...{ kind: 'deposit', atSeconds, wallet: wallet as Address },
})
const settlement = (atSeconds: number): PublicEvent => ({ kind: 'settlement', atSeconds })
const OWN = 'own' as Address
const ALONE = { anonymitySet: 1, linkProbability: 1 }

const stated = (events: readonly PublicEvent[], nowSeconds: number, weight = 1) =>
  statePrivacy(pendingDeposits(events, ALWAYS, USUAL, nowSeconds), {
    ...{ sender: OWN, weight, isDeposited: false },
  })
const crowd = (wallets: number) =>
  Array.from({ length: wallets }, (_, place) => deposit(place, `wallet ${place}`))

it('a transfer is linked to its sender if there is no other deposit', () => {
  expect(stated([], 0)).toEqual(ALONE)
})

it('waiting deposits hide a transfer, and more deposits hide it better', () => {
  const sizes = [1, 5, 20, 80].map((wallets) => stated(crowd(wallets), 80))
  for (const [place, one] of sizes.entries()) {
    const next = sizes[place + 1]
    if (next === undefined) break
    expect(next.anonymitySet).toBeGreaterThan(one.anonymitySet)
    expect(next.linkProbability).toBeLessThan(one.linkProbability)
  }
  // Some of the eighty deposits will be delivered before this transfer's deposit lands.
  expect(sizes[3]!.anonymitySet).toBeGreaterThan(50)
  expect(sizes[3]!.anonymitySet).toBeLessThanOrEqual(81)
})

it('settled deposits do not count', () => {
  const all = crowd(20)
  const half = Array.from({ length: 10 }, (_, place) => settlement(60 + place))
  expect(stated([...all, ...half], 80).anonymitySet).toBeLessThanOrEqual(11)
  const rest = Array.from({ length: 20 }, (_, place) => settlement(60 + place))
  expect(stated([...all, ...rest], 80)).toEqual(ALONE)
})

it('many deposits of one wallet count once', () => {
  const flood = Array.from({ length: 50 }, (_, place) => deposit(place, 'flood'))
  expect(stated(flood, 50).anonymitySet).toBeLessThanOrEqual(2)
})

it('the sender’s own deposits hide nothing, because they make the sender likelier', () => {
  const own = Array.from({ length: 8 }, (_, place) => deposit(place, OWN))
  expect(stated(own, 10)).toEqual(ALONE)
  const others = stated(crowd(20), 20)
  const both = stated([...crowd(20), ...own], 20)
  expect(both.linkProbability).toBeGreaterThan(others.linkProbability)
  expect(both.anonymitySet).toBeLessThanOrEqual(others.anonymitySet)
})

it('deposits that wait for minutes hardly hide a transfer without a delay', () => {
  const usual = stated(crowd(20), 20)
  const fast = stated(crowd(20), 20, weightOf(LAW, { minDelaySeconds: 0, maxDelaySeconds: 1 }))
  expect(fast.anonymitySet).toBe(1)
  expect(fast.linkProbability).toBeGreaterThan(0.9)
  const patient = weightOf(LAW, { minDelaySeconds: 0, maxDelaySeconds: 3_000 })
  expect(stated(crowd(20), 20, patient)).toEqual(usual)
})

it('a deposit without a settlement for a long time counts as a top-up', () => {
  const topUps = (nowSeconds: number) =>
    statePrivacy(pendingDeposits(crowd(20), { deposits: 10, settlements: 5 }, USUAL, nowSeconds), {
      ...{ sender: OWN, weight: 1, isDeposited: false },
    })
  expect(topUps(20).linkProbability).toBeLessThan(topUps(600).linkProbability)
  expect(topUps(3_600)).toEqual(ALONE)
})

const events = fc.array(
  fc.oneof(
    fc.record({ at: fc.nat({ max: 1_800 }), wallet: fc.nat({ max: 6 }) }),
    fc.record({ at: fc.nat({ max: 1_800 }) }),
  ),
  { maxLength: 30 },
)
const habits = fc.record({ deposits: fc.nat({ max: 50 }), settlements: fc.nat({ max: 50 }) })

it('never states more wallets than are still waiting', () => {
  fc.assert(
    fc.property(events, habits, fc.integer({ min: 0, max: 10 }), (drawn, habit, tenths) => {
      const shown = drawn.map((one): PublicEvent =>
        'wallet' in one ? deposit(one.at, `wallet ${one.wallet}`) : settlement(one.at),
      )
      const pending = pendingDeposits(shown, habit, USUAL, 1_800)
      const { anonymitySet, linkProbability } = statePrivacy(pending, {
        ...{ sender: OWN, weight: tenths / 10, isDeposited: false },
      })
      const wallets = new Set(pending.map(({ wallet }) => wallet)).size
      expect(anonymitySet).toBeGreaterThanOrEqual(1)
      expect(anonymitySet).toBeLessThanOrEqual(1 + wallets)
      expect(linkProbability).toBeLessThanOrEqual(1)
      expect(linkProbability).toBeGreaterThanOrEqual(1 / (1 + wallets))
      for (const { chance } of pending) {
        expect(chance).toBeGreaterThan(0)
        expect(chance).toBeLessThanOrEqual(1)
      }
    }),
  )
})

it('counts every wallet that is as likely as the sender', () => {
  const wallets = fc.integer({ min: 0, max: 256 })
  const own = fc.constantFrom(1, 2, 3)
  fc.assert(
    fc.property(wallets, own, fc.boolean(), (others, ownDeposits, isDeposited) => {
      const certain = (wallet: string) => ({
        ...{ atSeconds: 0, wallet: wallet as Address, chance: 1, isKept: 1 },
      })
      const quoted = { sender: OWN, weight: 1, isDeposited }
      const equal = Array.from({ length: others }, (_, place) => certain(`wallet ${place}`))
      expect(statePrivacy(equal, quoted).anonymitySet).toBe(others + 1)
      // More deposits of the sender never add a wallet.
      const more = [...equal, ...Array.from({ length: ownDeposits }, () => certain(OWN))]
      expect(statePrivacy(more, quoted).anonymitySet).toBeLessThanOrEqual(others + 1)
    }),
    { examples: [2, 5, 7].map((others) => [others, 1, false]), numRuns: 40 },
  )
})

it('never states a set larger than 1 divided by the stated chance', () => {
  const certain = (wallet: string) => ({
    ...{ atSeconds: 0, wallet: wallet as Address, chance: 1, isKept: 1 },
  })
  const most = fc.nat({ max: 3 })
  const widths = fc.integer({ min: 1, max: 1_800 })
  fc.assert(
    fc.property(fc.nat({ max: 256 }), most, widths, (others, owned, maxDelaySeconds) => {
      const weight = weightOf(LAW, { minDelaySeconds: 0, maxDelaySeconds })
      const { anonymitySet, linkProbability } = statePrivacy(
        [
          ...Array.from({ length: others }, (_, place) => certain(`wallet ${place}`)),
          ...Array.from({ length: owned }, () => certain(OWN)),
        ],
        { sender: OWN, weight, isDeposited: true },
      )
      expect(anonymitySet).toBeLessThanOrEqual(1 / (linkProbability - 0.001))
    }),
    { examples: [[60, 0, 10]] },
  )
})

it('a narrow window hides nothing, even with a long minimum delay', () => {
  const narrow = weightOf(LAW, { minDelaySeconds: 1_500, maxDelaySeconds: 1_501 })
  expect(stated(crowd(20), 20, narrow).anonymitySet).toBe(1)
  expect(stated(crowd(20), 20, narrow).linkProbability).toBeGreaterThan(0.9)
  expect(weightOf(LAW, { minDelaySeconds: 600, maxDelaySeconds: 2_400 })).toBe(1)
  const equal = lawOf({ minDelaySeconds: 5, meanSeconds: 300, maxDelaySeconds: 5 })
  expect(weightOf(equal, { minDelaySeconds: 5, maxDelaySeconds: 5 })).toBe(0)
})

it('counts a deposit for at most the maximum delay', () => {
  const short = { minDelaySeconds: 0, meanSeconds: 300, maxDelaySeconds: 60 }
  const kept = (age: number) => {
    const [one] = pendingDeposits([deposit(0, 'other')], ALWAYS, short, age)
    return one === undefined ? 0 : one.isKept
  }
  // A new deposit lands 45 seconds after its quote, so a deposit of age 5 is still there only if its delay is above 50.
  // The delays are almost uniform between 0 and 60: of the 55 seconds above 5, 10 are above 50.
  expect(kept(5)).toBeGreaterThan(0.14)
  expect(kept(5)).toBeLessThan(10 / 55)
  expect(kept(15)).toBe(0)
  expect(kept(60)).toBe(0)
  // One deposit lands in each second, and each is settled within 60 seconds. Of the 300 deposits, 60 are recent.
  const deposits = Array.from({ length: 300 }, (_, place) => deposit(place, `wallet ${place}`))
  const settlements = deposits.flatMap(({ atSeconds }) => {
    const settledAt = atSeconds + ((atSeconds * 37) % 60)
    return settledAt <= 299 ? [settlement(settledAt)] : []
  })
  const pending = pendingDeposits([...deposits, ...settlements], ALWAYS, short, 299)
  const expected = pending.reduce((sum, { chance, isKept }) => sum + chance * isKept, 0)
  // The new deposit lands 45 seconds later. Only deposits of the last 15 seconds can then still be pending.
  expect(expected).toBeLessThan(3)
})

it('counts only the newest deposits of a flood', () => {
  const flood = Array.from({ length: 20_000 }, (_, place) =>
    deposit(place % 100, `wallet ${place}`),
  )
  const pending = pendingDeposits(flood, ALWAYS, USUAL, 100)
  expect(pending).toHaveLength(2_000)
  expect(Math.min(...pending.map(({ atSeconds }) => atSeconds))).toBe(90)
})
