import type { Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { amount } from '@sotto/protocol'
import { statePrivacy, weightOf } from './privacy-statement.ts'
import { ObservedMarket } from './observed-market.ts'
import { stateQuote } from './state-quote.ts'

const MINT = 'sol' as Address
const NOW_SECONDS = 10_000
const law = { meanSeconds: 300, spreadSeconds: 1_800 }
const usual = { minDelaySeconds: 0, meanSeconds: 300, maxDelaySeconds: 1_800 }
const wallets = Array.from({ length: 30 }, (_, index) => `wallet ${index}` as Address)

it('states the same privacy for every wallet without a deposit, and less for a wallet with one, in any order', () => {
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

it('a landed deposit that is older than every usual delay takes no share from those that wait', () => {
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
  // Some of the other transfers will be delivered before this transfer's deposit lands.
  expect(setOf(false)).toBeLessThan(16)
  expect(setOf(true)).toBe(16)
  expect(setOf(false)).toBeLessThan(16)
})
