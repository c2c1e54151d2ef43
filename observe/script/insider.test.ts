import { expect, it } from 'vitest'
import { sampleSightings } from '../infer/sample-sightings.ts'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { inferLinks } from '../infer/infer-links.ts'
import { DEFAULT_MIX } from '../load/mix.ts'
import { observeScript } from '../observe-script.ts'
import { reportOf } from '../report/render-report.ts'
import type { Ledger } from '../load/ledger.ts'
import { withoutInsider } from './insider.ts'

const VALUE = 1_000_000_000n
const WALLETS = 400
const numbers = Array.from({ length: WALLETS }, (_, place) => place)

/** Equal transfers of all wallets at the same time. */
const sample = (() => {
  const seen = sampleSightings(
    numbers.map((place) => ({ at: place / WALLETS, value: VALUE, sender: `wallet ${place}` })),
    numbers.map((place) => ({ at: 60 + place / WALLETS, gross: VALUE, payee: `payee ${place}` })),
  )
  const orderIdOf = (index: number) => new Uint8Array([index >> 8, index & 0xff])
  return {
    ...seen,
    deposits: seen.deposits.map((one) => ({ ...one, orderId: orderIdOf(one.index) })),
  }
})()
const ledger = {
  links: numbers.map((place) => ({
    ...{ settlement: `${place}`, orderId: place.toString(16).padStart(4, '0') },
    ...{ way: 'transfer', amountKind: 'round' },
  })),
} as Ledger

const left = (percent: number) =>
  withoutInsider(sample, ledger, percent, new SeededRandom(`insider ${percent}`))

it('removes the insider’s share of the orders, and numbers the remaining orders from 0', () => {
  for (const percent of [20, 80]) {
    const { sightings, paid } = left(percent)
    const share = 1 - percent / 100
    expect(Math.abs(sightings.deposits.length - WALLETS * share)).toBeLessThan(40)
    expect(sightings.settlements.length).toBe(sightings.deposits.length)
    expect(paid.length).toBe(WALLETS - sightings.deposits.length)
    // The removed settlements belong to the removed deposits. The other deposits and settlements are numbered from 0.
    const payees = sightings.settlements.map(({ payee }) => payee.replace('payee', 'wallet'))
    expect(payees).toEqual(sightings.deposits.map(({ sender }) => sender))
    expect(sightings.deposits.map(({ index }) => index)).toEqual([...sightings.deposits.keys()])
    expect(sightings.settlements.map(({ index }) => index)).toEqual([
      ...sightings.settlements.keys(),
    ])
    expect(sightings.leafSeconds).toBe(sample.leafSeconds)
  }
})

it('removes nothing for 0 %, and removes refunds of the insider’s deposits', () => {
  expect(left(0).sightings.deposits).toEqual(sample.deposits)
  const refunds = { links: [], refunds: [{ settlement: '3', orderId: '0003' }] }
  const { sightings } = withoutInsider(sample, refunds, 100, new SeededRandom('all'))
  expect(sightings.deposits).toEqual([])
  expect(sightings.settlements.map(({ signature }) => signature)).not.toContain('3')
})

it('links a payment to a wallet whose earlier payment to the same payee the insider knows', () => {
  const seen = sampleSightings(
    [
      ...['anna', 'bela'].map((sender, at) => ({ at, value: VALUE, sender })),
      ...['anna', 'bela'].map((sender, at) => ({ at: 50_000 + at / 2, value: VALUE, sender })),
    ],
    ['x', 'y'].map((payee, place) => ({ at: 50_031 + place, gross: VALUE, payee })),
  )
  const others = {
    ...seen,
    deposits: seen.deposits.slice(2).map((one, index) => ({ ...one, index })),
  }
  const infer = (paid: readonly { wallet: string; payee: string }[]) =>
    inferLinks(
      others,
      new SeededRandom('payees'),
      { runs: 2, warmUp: 20, sweeps: 200 },
      paid,
    )[0]!.candidates.find(({ deposit }) => deposit === 1)!.chance
  const foreign = numbers.slice(0, 20).map((place) => ({ wallet: 'zoe', payee: `${place}` }))
  expect(infer(foreign)).toBeLessThan(0.6)
  expect(infer([...foreign, { wallet: 'bela', payee: 'x' }])).toBeGreaterThan(0.7)
})

it('an insider links the orders of others better than a reader of the chain', async () => {
  const equal = { amounts: { round: 100, odd: 0, swap: 0 }, exactOut: 100 }
  const mix = { ...DEFAULT_MIX, ...equal, perHour: 1_000 }
  const [chain, insider] = await Promise.all(
    [0, 80].map(async (percent) => {
      const seed = new SeededRandom('insider')
      const effort = { runs: 1, warmUp: 20, sweeps: 40 }
      const { observation, ledger: made } = await observeScript(mix, 200, seed, effort, percent)
      return reportOf(observation, made).scored!.all
    }),
  )
  expect(insider!.payments).toBeLessThan(chain!.payments / 3)
  expect(insider!.posterior).toBeGreaterThan(1.5 * chain!.posterior)
})
