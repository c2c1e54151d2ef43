import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { drawPlan } from '../load/draw-plan.ts'
import { DEFAULT_MIX } from '../load/mix.ts'
import { DEFAULT_DELAYS, MEANT } from './behaviour.ts'
import { drawEvents } from './draw-events.ts'
import { Tariffs } from './draw-tariffs.ts'
import { PayeeAccounts } from './payee-accounts.ts'
import { PublicHistory } from './public-history.ts'
import type { DepositEvent } from './script-events.ts'

const HOUR = 3_600
const random = () => new SeededRandom('surroundings')

it('changes the tariff of an asset at most once an hour', () => {
  const events = new Tariffs({ hours: 2 }, 0, 400 * HOUR, random()).events()
  for (const asset of ['SOL', 'USDC']) {
    const times = events.filter((one) => one.asset === asset).map(({ seconds }) => seconds)
    expect(times.length).toBeGreaterThan(100)
    for (const [place, seconds] of times.entries()) {
      expect(seconds - (times[place - 1] ?? 0)).toBeGreaterThanOrEqual(HOUR)
    }
  }
  expect(new Tariffs({ hours: 0 }, 0, 400 * HOUR, random()).events()).toEqual([])
})

it('lets strangers open accounts at the times that the mix asks for', () => {
  const opened = (share: 'old' | 'before' | 'during' | undefined) => {
    const shares = {
      old: 0,
      before: 0,
      during: 0,
      ...(share === undefined ? {} : { [share]: 100 }),
    }
    const accounts = new PayeeAccounts(shares, 100_000, random())
    return { exists: accounts.exists(1, 200_000), at: accounts.events()[0]?.seconds }
  }
  expect(opened('old')).toEqual({ exists: true, at: 100_000 - 86_400 })
  expect(opened('before')).toMatchObject({ exists: true })
  expect(200_000 - opened('before').at!).toBeLessThanOrEqual(1_800)
  expect(opened('during')).toMatchObject({ exists: false })
  expect(opened('during').at! - 200_000).toBeLessThanOrEqual(1_800)
  expect(opened(undefined)).toEqual({ exists: false, at: undefined })
})

it('opens an account by the first settlement, and not by a later one', () => {
  const mix = { ...DEFAULT_MIX, assets: { SOL: 0, USDC: 100 }, perHour: 100, knownPayees: 80 }
  const events = drawEvents(drawPlan(mix, 300, random()), MEANT, 0, random(), mix)
  const opened = new Map<number, number>()
  const payments = events.filter((one) => one.is === 'settlement' && one.payee !== undefined)
  expect(payments.length).toBeGreaterThan(200)
  for (const one of payments) {
    if (one.is !== 'settlement' || one.payee === undefined) continue
    const { payee, seconds, opensAccount, deposit } = one
    if (!opensAccount) expect(opened.get(payee)).toBeLessThanOrEqual(seconds)
    else if (one.kind === 'transfer') {
      expect(opened.get(payee) ?? Infinity).toBeGreaterThan(deposit.madeSeconds)
    }
    if (opensAccount) opened.set(payee, Math.min(seconds, opened.get(payee) ?? Infinity))
  }
})

it('counts no deposit that may have an earlier tariff in a statement about privacy', () => {
  const deposit = (wallet: number, seconds: number): DepositEvent => ({
    ...{ is: 'deposit', kind: 'transfer', wallet, source: 'SOL', asset: 'SOL', seconds },
    ...{ amountIn: 9n, partnerFee: 0n, value: 9n, madeSeconds: seconds, expiry: seconds + HOUR },
  })
  const others = Array.from({ length: 40 }, (_, wallet) => deposit(wallet, 1_000 + wallet))
  const stated = (changedAt: number) =>
    new PublicHistory([{ is: 'tariff', asset: 'SOL', seconds: changedAt }, ...others]).state(
      deposit(99, 1_100),
      { atSeconds: 1_100, isDeposited: false, delays: DEFAULT_DELAYS },
    ).anonymitySet
  expect(stated(600)).toBeGreaterThan(1)
  expect(stated(900)).toBe(1)
})
