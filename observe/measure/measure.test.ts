import type { Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { Ledger } from '../load/ledger.ts'
import { sampleSightings } from '../infer/sample-sightings.ts'
import { summariseBuckets } from './amount-buckets.ts'
import { summariseCrowds } from './crowds.ts'
import { renderReport, reportOf } from '../report/render-report.ts'
import { calibrationOf, compareStated, compareStatedKinds } from './calibration.ts'
import { summariseHidingPlaces } from './hiding-places.ts'
import { summarisePayees } from './payee-kinds.ts'
import { scorePayments, summariseScored, summariseDays } from './summaries.ts'
import { CERTAIN, walletChances } from './wallet-chances.ts'

const VALUE = 1_000n
const sightings = (() => {
  const sample = sampleSightings(
    ['anna', 'anna', 'bela', 'cleo'].map((sender, at) => ({ at, value: VALUE, sender })),
    ['x', 'y'].map((payee, at) => ({ at: at + 50, gross: VALUE, payee })),
  )
  const deposits = sample.deposits.map((one) => ({ ...one, orderId: new Uint8Array([one.index]) }))
  return { ...sample, deposits }
})()
const links = [
  {
    settlement: 0,
    candidates: [0, 1, 2, 3].map((deposit) => ({ deposit, chance: 0.25 })),
  },
  { settlement: 1, candidates: [{ deposit: 3, chance: 1 }] },
]
const truth = (settlement: string, orderId: string, anonymitySet: number) =>
  ({ settlement, orderId, way: 'transfer', amountKind: 'round', stated: { anonymitySet } }) as const
const ledger = { links: [truth('0', '00', 2), truth('1', '02', 3)] }

it('adds up the chances of one wallet’s deposits', () => {
  const [first, second] = walletChances(sightings, links)
  expect(first!.wallets[0]).toEqual({ wallet: 'anna', chance: 0.5 })
  expect(first!.effectiveSet).toBeCloseTo(2 ** 1.5)
  expect(second!.effectiveSet).toBeCloseTo(1)
})

it('counts the chance of unseen deposits as one more possibility', () => {
  const [only] = walletChances(sightings, [
    { settlement: 0, candidates: [{ deposit: 0, chance: 0.5 }] },
  ])
  expect(only!.effectiveSet).toBeCloseTo(2)
})

it('counts a certain link to the wrong wallet as certain, but not as true', () => {
  const scored = scorePayments(sightings, walletChances(sightings, links), ledger)
  expect(summariseScored('all', scored)).toMatchObject({
    ...{ payments: 2, posterior: 0.25, certain: 0.5, certainAndTrue: 0, precision: 0, recall: 0 },
  })
  const bins = calibrationOf(scored)
  expect(bins.find(({ to }) => to === 1)).toMatchObject({ pairs: 1, stated: 1, measured: 0 })
  expect(bins.find(({ from }) => from === 0.5)).toMatchObject({ pairs: 1, measured: 1 })
  expect(compareStated(scored, CERTAIN)).toEqual({
    ...{ quotes: 2, held: 0.5, stating: 2, heldStating: 0.5, linked: 0 },
    promised: {
      ...{ bySet: (1 / 2 + 1 / 3) / 2, byChance: undefined, measured: 0.25, heldMost: 0.5 },
      ...{ once: 2, heldMostOnce: 0.5, isKept: false },
    },
  })
})

it('judges a stated set by the chances, not by the entropy, which many unlikely wallets raise', () => {
  // 40 wallets: the observer gives the true one a chance of 0.61, and each other one 0.01.
  const sample = sampleSightings(
    Array.from({ length: 40 }, (_, at) => ({ at, value: VALUE, sender: `wallet ${at}` })),
    [{ at: 50, gross: VALUE, payee: 'x' }],
  )
  const deposits = sample.deposits.map((one) => ({ ...one, orderId: new Uint8Array([one.index]) }))
  const candidates = deposits.map(({ index }) => ({
    deposit: index,
    chance: index === 0 ? 0.61 : 0.01,
  }))
  const seen = { ...sample, deposits }
  const quote = { ...truth('0', '00', 3), stated: { anonymitySet: 3, linkProbability: 0.4 } }
  const kept = { links: [quote], crowds: [{ orderId: '00', min: 3, outcome: 'came' }] } as const
  const scored = scorePayments(seen, walletChances(seen, [{ settlement: 0, candidates }]), kept)
  const { heldStating, promised } = compareStated(scored, CERTAIN)!
  expect(heldStating).toBe(1)
  expect(promised).toMatchObject({ byChance: 0.4, heldMost: 0, isKept: false })
  expect(promised!.bySet).toBeCloseTo(1 / 3)
  expect(promised!.measured).toBeCloseTo(0.61)
  expect(summariseCrowds(scored, kept, CERTAIN)).toMatchObject([
    { held: 1, heldMost: 0, isKept: false },
  ])
})

it('summarises payments out of balances by the day on which they landed', () => {
  const DAY = 86_400
  const late = {
    ...sightings,
    settlements: sightings.settlements.map((one, place) => ({
      ...one,
      seconds: (sightings.deposits[0]?.seconds ?? 0) + place * 2 * DAY,
    })),
  }
  const ofBalance = (settlement: string, orderId: string, amountKind: 'odd' | 'rest') => ({
    ...{ settlement, orderId, way: 'balance', amountKind },
  })
  const daysOf = (last: 'odd' | 'rest') => {
    const truths = { links: [ofBalance('0', '00', 'odd'), ofBalance('1', '03', last)] } as Ledger
    const scored = scorePayments(late, walletChances(late, links), truths)
    return summariseDays(scored, late).map(({ name, posterior }) => ({ name, posterior }))
  }
  const first = { name: 'out of a balance, day 1', posterior: 0.5 }
  expect(daysOf('odd')).toEqual([first, { name: 'out of a balance, day 3', posterior: 1 }])
  expect(daysOf('rest')).toEqual([first])
})

it('counts only wallets with a large enough open balance', () => {
  const sample = sampleSightings(
    ['anna', 'bela', 'cleo', 'dora', 'emil'].map((sender, at) => ({ at, value: VALUE, sender })),
    [
      { at: 10, gross: 900n, payee: 'x' },
      { at: 20, gross: 500n, payee: 'bela' },
      { at: 30, gross: 500n, payee: 'y' },
    ],
  )
  const deposits = sample.deposits.map((one) => ({ ...one, orderId: new Uint8Array([one.index]) }))
  const late = { ...sample, deposits }
  const all = walletChances(
    late,
    [0, 1, 2].map((settlement) => ({ settlement, candidates: [{ deposit: 3, chance: 0.4 }] })),
  )
  const paidBy = (settlement: string, orderId: string, amountKind: 'odd' | 'rest') =>
    ({ settlement, orderId, way: 'balance', amountKind }) as const
  // Only Dora could have made the last payment, and she made it. Anna has spent too much. Bela has closed her
  // balance. The rest of Cleo’s balance has returned. Emil’s deposit is a transfer.
  const kept = {
    links: [paidBy('0', '00', 'odd'), paidBy('1', '01', 'rest'), paidBy('2', '03', 'odd')],
    balances: ['00', '01', '02', '03'].map((orderId) =>
      orderId === '02' ? { orderId, endSeconds: deposits[0]!.seconds + 25 } : { orderId },
    ),
  }
  const groups = summariseHidingPlaces(scorePayments(late, all, kept), late, kept)
  expect(groups).toMatchObject([
    { from: 1, to: 2, payments: 1, even: 1, posterior: 0.4, certain: 0, onceEven: 1 },
    { from: 3, to: 9, payments: 1, even: 0.25, posterior: 0 },
  ])
  expect(
    summariseHidingPlaces(scorePayments(late, all, kept), late, { links: kept.links }),
  ).toEqual([])
})

it('also counts the kept promises among the quotes to payees that are paid once', () => {
  const payeesOf = (payees: readonly string[]) => {
    const settlements = sightings.settlements.map((one, place) => ({
      ...one,
      payee: payees[place] as Address,
    }))
    const seen = { ...sightings, settlements }
    const scored = scorePayments(seen, walletChances(seen, links), ledger)
    return compareStated(scored, CERTAIN)!.promised
  }
  expect(payeesOf(['x', 'y'])).toMatchObject({ once: 2, heldMostOnce: 0.5 })
  expect(payeesOf(['x', 'x'])).toMatchObject({ once: 0, heldMostOnce: NaN })
})

it('refuses a ledger of another chain', () => {
  const foreign = { links: [truth('0', 'ff', 1)] }
  expect(() => scorePayments(sightings, walletChances(sightings, links), foreign)).toThrow(
    'the ledger names a deposit that is not on the chain',
  )
})

it('compares the quotes’ stated privacy with the measured privacy, separately for each kind of payment', () => {
  const stated = { anonymitySet: 2, linkProbability: 0.5 }
  const kinds = {
    links: [
      { ...truth('0', '00', 2), stated },
      { ...truth('1', '03', 1), stated, way: 'patient', amountKind: 'odd' },
    ],
  } as Ledger
  const scored = scorePayments(sightings, walletChances(sightings, links), kinds)
  const odd = { name: 'transfer, up to an hour, odd', quotes: 1, held: 0 }
  expect(compareStatedKinds(scored, CERTAIN)).toEqual([
    {
      ...{ name: 'transfer, default delay, round', quotes: 1, held: 1 },
      ...{ stating: 1, heldStating: 1, linked: 0 },
      chance: { stated: 0.5, measured: 0.5 },
      promised: {
        ...{ bySet: 0.5, byChance: 0.5, measured: 0.5, heldMost: 1, isKept: true },
        ...{ once: 1, heldMostOnce: 1 },
      },
    },
    {
      ...{ ...odd, stating: 1, heldStating: 0, linked: 1, chance: { stated: 0.5, measured: 1 } },
      promised: {
        ...{ bySet: 0.5, byChance: 0.5, measured: 1, heldMost: 0, isKept: false },
        ...{ once: 1, heldMostOnce: 0 },
      },
    },
  ])
  const observation = { sightings, links, wallets: walletChances(sightings, links), findings: [] }
  const report = reportOf(observation, kinds)
  expect(report.scored!.statedKinds).toEqual(compareStatedKinds(scored, CERTAIN))
  expect(renderReport(report)).toMatch(
    /transfer, up to an hour, odd +1 +0\.000 +1 +0\.000 +1\.000 +0\.500 +1\.000/,
  )
  expect(renderReport(report)).toMatch(
    /transfer, up to an hour, odd +1 +0\.500 +0\.500 +1\.000 +0\.000 +1 +0\.000 +MISSED/,
  )
})

it('summarises payments by power of ten, series, and source of the money', () => {
  const sample = sampleSightings(
    [{ at: 0, value: 10_000n, sender: 'anna' }],
    [
      { at: 10, gross: 1_500n, payee: 'x' },
      { at: 20, gross: 999n, payee: 'y' },
      { at: 30, gross: 7_500n, payee: 'z' },
      { at: 40, gross: 3_500n, payee: 'z' },
    ],
  )
  const deposits = sample.deposits.map((one) => ({ ...one, orderId: new Uint8Array([one.index]) }))
  const seen = { ...sample, deposits }
  const chances = [1, 0.5, 0, 0.2].map((chance, settlement) => ({
    ...{ settlement, candidates: [{ deposit: 0, chance }] },
  }))
  const all = walletChances(seen, chances)
  const kept = {
    links: ['transfer', 'patient', 'fresh', 'crowd'].map((way, place) => ({
      ...{ settlement: `${place}`, orderId: '00', way, amountKind: 'round' },
    })),
  } as Ledger
  const buckets = summariseBuckets(scorePayments(seen, all, kept))
  expect(buckets.map(({ name, posterior }) => [name, posterior])).toEqual([
    ['balance, asse, 10^03 to 10^04, series', 0],
    ['transfer, asse, 10^02 to 10^03, other', 0.5],
    ['transfer, asse, 10^03 to 10^04, other', 0.2],
    ['transfer, asse, 10^03 to 10^04, series', 1],
  ])
})

it('compares crowds with the size that was asked for', () => {
  const crowds = [
    { orderId: '00', min: 2, outcome: 'came' },
    { orderId: '03', min: 2, outcome: 'came' },
    { orderId: '01', min: 2, outcome: 'refunded' },
    { orderId: '02', min: 3, outcome: 'delivered' },
  ] as const
  const toPaidBefore = { ...truth('1', '03', 1), stated: { anonymitySet: 1, isPaidBefore: true } }
  const kept = { links: [truth('0', '00', 1), toPaidBefore], crowds }
  const scored = scorePayments(sightings, walletChances(sightings, links), kept)
  expect(summariseCrowds(scored, kept, CERTAIN)).toEqual([
    {
      ...{ min: 2, asked: 3, came: 2, delivered: 0, refunded: 1, posterior: 0.75, held: 0.5 },
      ...{ effectiveSet: expect.closeTo(2 ** 0.75) as number, certain: 0.5 },
      ...{ promised: 1, promisedPosterior: 0.5, heldMost: 1, isKept: true },
      ...{ once: 1, heldMostOnce: 1 },
    },
    {
      ...{ min: 3, asked: 1, came: 0, delivered: 1, refunded: 0, posterior: NaN, held: NaN },
      ...{ effectiveSet: NaN, certain: NaN, heldMost: NaN, isKept: true },
      ...{ promised: 0, promisedPosterior: NaN, once: 0, heldMostOnce: NaN },
    },
  ])
})

it('summarises payments out of balances by the wallet’s other payments to the payee', () => {
  const payees = ['once', 'shared', 'shared', 'often', 'often', 'moved', 'moved', 'new', 'new']
  const ways = [
    ...['balance', 'balance', 'balance', 'balance', 'balance'],
    ...['balance', 'transfer', 'balance', 'fresh'],
  ]
  // Each of Anna and Bela pays `shared` once. Anna makes all other payments.
  const sample = sampleSightings(
    ['anna', 'bela'].map((sender, at) => ({ at, value: 9_000n, sender })),
    payees.map((payee, place) => ({ at: 50 + place, gross: 500n, payee })),
  )
  const deposits = sample.deposits.map((one) => ({ ...one, orderId: new Uint8Array([one.index]) }))
  const seen = { ...sample, deposits }
  const chances = payees.map((_, settlement) => ({
    ...{ settlement, candidates: [{ deposit: 0, chance: settlement / 10 }] },
  }))
  const kept = {
    links: ways.map((way, place) => ({
      ...{ settlement: `${place}`, orderId: place === 2 ? '01' : '00', way, amountKind: 'odd' },
    })),
  } as Ledger
  const groups = summarisePayees(scorePayments(seen, walletChances(seen, chances), kept))
  expect(groups.map(({ name, payments, posterior }) => [name, payments, posterior])).toEqual([
    ['also paid by a transfer', 1, 0.5],
    ['also paid right after a top-up', 1, 0.7],
    ['paid once by this wallet', 3, expect.closeTo(0.1 / 3)],
    ['paid several times, always out of balances', 2, expect.closeTo(0.35)],
  ])
})
