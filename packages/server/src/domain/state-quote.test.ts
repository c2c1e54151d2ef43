import type { Address } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amount } from '@sotto/protocol'
import { truncatedMeanSeconds } from './delivery-schedule.ts'
import { pendingDeposits } from './observed-deposits.ts'
import { statePrivacy, weightOf } from './privacy-statement.ts'
import { ObservedMarket } from './observed-market.ts'
import { stateQuote } from './state-quote.ts'

const MINT = 'sol' as Address
const NOW_SECONDS = 10_000
const law = { meanSeconds: 300, spreadSeconds: 1_800 }
const usual = { minDelaySeconds: 0, meanSeconds: 300, maxDelaySeconds: 1_800 }
const wallets = Array.from({ length: 30 }, (_, index) => `wallet ${index}` as Address)

it('states the same privacy for all wallets without a deposit, and less for a depositor', () => {
  const events = wallets.map((wallet) => ({
    ...{ kind: 'deposit' as const, atSeconds: NOW_SECONDS - 1, wallet },
  }))
  const habit = { deposits: 100, settlements: 100 }
  const shown = [{ mint: MINT, value: amount(5n), events, habit }]
  const observed = new ObservedMarket(shown, usual, NOW_SECONDS)
  const stateFor = (sender: string, maxDelaySeconds = 1_800) => {
    const delays = { minDelaySeconds: 0, maxDelaySeconds }
    const transfer = { mint: MINT, value: amount(5n), sender: sender as Address, delays }
    const { waitingHelps: _, ...stated } = stateQuote(observed, law, transfer)
    const weight = weightOf(law, delays)
    const pending = observed.pending(MINT, amount(5n))
    const of = { sender: sender as Address, weight, isDeposited: false }
    expect(stated).toEqual(statePrivacy(pending, of))
    return stated.linkProbability
  }
  const stranger = stateFor('stranger')
  expect(stateFor('wallet 3')).toBeGreaterThan(stranger)
  expect(stateFor('stranger', 60)).toBeGreaterThan(stranger)
  expect(stateFor('another')).toBe(stranger)
  expect(stateFor('wallet 3', 60)).toBeGreaterThan(stateFor('another', 60))
})

it('counts all waiting deposits in full if the transfer’s own deposit landed long ago', () => {
  const at = (atSeconds: number, wallet: Address) => ({
    ...{ kind: 'deposit' as const, atSeconds, wallet },
  })
  const own = at(NOW_SECONDS - 1_801, 'own' as Address)
  const events = [own, ...wallets.slice(0, 15).map((wallet) => at(NOW_SECONDS - 10, wallet))]
  const habit = { deposits: 1_000, settlements: 1_000 }
  const shown = [{ mint: MINT, value: amount(5n), events, habit }]
  const observed = new ObservedMarket(shown, usual, NOW_SECONDS)
  const delays = { minDelaySeconds: 0, maxDelaySeconds: 1_800 }
  const transfer = { mint: MINT, value: amount(5n), sender: own.wallet, delays }
  const setOf = (isDeposited: boolean) =>
    stateQuote(observed, law, { ...transfer, isDeposited }).anonymitySet
  // Before the deposit lands (`isDeposited` is false), some of the other transfers will be delivered.
  expect(setOf(false)).toBeLessThan(16)
  expect(setOf(true)).toBe(16)
  expect(setOf(false)).toBeLessThan(16)
})

const HABIT_SECONDS = 21_600
/** There are few values and few wallets, so that several deposits have the same value or the same wallet. */
const aWallet = fc.constantFrom(...wallets.slice(0, 4))
const anEvent = fc.record({
  kind: fc.constantFrom('deposit' as const, 'settlement' as const),
  atSeconds: fc.integer({ min: NOW_SECONDS - 2_000, max: NOW_SECONDS }),
  wallet: aWallet,
})
const aValue = fc.record({
  events: fc.array(anEvent, { maxLength: 12 }),
  habit: fc.record({ deposits: fc.nat({ max: 40 }), settlements: fc.nat({ max: 40 }) }),
})

it('states the same privacy as a computation from all events of the market', () => {
  fc.assert(
    fc.property(
      fc.array(aValue, { minLength: 2, maxLength: 2 }),
      fc.constantFrom(4n, 5n, 6n),
      aWallet,
      fc.constantFrom(0, 60, 1_800, 3_600),
      fc.boolean(),
      (values, asked, sender, maxDelaySeconds, isDeposited) => {
        const shown = values.map((one, index) => ({
          mint: MINT,
          value: amount(5n + BigInt(index)),
          ...one,
        }))
        const delays = { minDelaySeconds: 0, maxDelaySeconds }
        const { events = [], habit } = shown.find(({ value }) => value === asked) ?? {}
        const pending = pendingDeposits(
          events,
          habit ?? { deposits: 0, settlements: 0 },
          usual,
          NOW_SECONDS,
        )
        const recent = events.filter(
          (one) => one.kind === 'deposit' && one.wallet !== sender,
        ).length
        const others = (recent + (habit?.deposits ?? 0)) / (law.spreadSeconds + HABIT_SECONDS)
        const seconds = Math.max(truncatedMeanSeconds(law, delays), law.meanSeconds)
        const observed = new ObservedMarket(shown, usual, NOW_SECONDS)
        const of = { mint: MINT, value: amount(asked), sender, delays, isDeposited }
        expect(stateQuote(observed, law, of)).toEqual({
          ...statePrivacy(pending, { sender, weight: weightOf(law, delays), isDeposited }),
          waitingHelps: others * seconds >= 0.05 || pending.some(({ wallet }) => wallet !== sender),
        })
      },
    ),
  )
})

it('does not reuse the statement of an earlier snapshot', () => {
  const delays = { minDelaySeconds: 0, maxDelaySeconds: 1_800 }
  const transfer = { mint: MINT, value: amount(5n), sender: undefined, delays }
  const stated = [0, 4, 8, 0].map((count) => {
    const events = wallets.slice(0, count).map((wallet) => ({
      ...{ kind: 'deposit' as const, atSeconds: NOW_SECONDS, wallet },
    }))
    const habit = { deposits: 1_000, settlements: 1_000 }
    const shown = [{ mint: MINT, value: amount(5n), events, habit }]
    return stateQuote(new ObservedMarket(shown, usual, NOW_SECONDS), law, transfer).anonymitySet
  })
  expect(stated[0]).toBe(1)
  expect(stated[1]).toBeGreaterThan(1)
  expect(stated[2]).toBeGreaterThan(stated[1] ?? 0)
  expect(stated[3]).toBe(1)
})
