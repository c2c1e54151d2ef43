import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { playCrowds, type WaitingTransfer } from './play-crowds.ts'
import type { CrowdOutcome, DepositEvent, SettlementEvent } from './script-events.ts'

const BEGIN = 1_700_000_400
const VALUE = 1_000_000_000n

const deposit = (wallet: number, at: number): DepositEvent => ({
  ...{ is: 'deposit', kind: 'transfer', wallet, source: 'SOL', asset: 'SOL', partnerFee: 0n },
  ...{ amountIn: VALUE, value: VALUE, madeSeconds: BEGIN + at - 10, seconds: BEGIN + at },
  expiry: BEGIN + Math.ceil((at + 5_390) / 600) * 600,
})

const settlement = (of: DepositEvent, seconds: number): SettlementEvent => ({
  ...{ is: 'settlement', seconds, kind: 'transfer', deposit: of, payee: 1, payout: VALUE, fee: 0n },
  ...{ opensAccount: false, way: 'crowd', amountKind: 'round' },
})

/** Plays one transfer that waits for a crowd of `min` wallets, among deposits of other wallets. */
function play(others: readonly number[], min: number, missed: 'refund' | 'deliver') {
  const own = deposit(0, 0)
  const joined = others.map((at, place) => deposit(place + 1, at))
  // Earlier transfers of the same value. They make it likely that a new deposit of this value is a transfer.
  const habit = [-9_000, -8_000, -7_000, -6_000, -5_000, -4_000].flatMap((at, place) => {
    const one = deposit(100 + place, at)
    return [one, settlement(one, BEGIN + at + 100)]
  })
  const outcomes: CrowdOutcome[] = []
  const waiting: WaitingTransfer = {
    ...{ deposit: own, wish: { min, missed } },
    settle: (seconds, outcome) => {
      outcomes.push(outcome)
      return settlement(own, seconds)
    },
  }
  const events = [...habit, own, ...joined].sort((left, right) => left.seconds - right.seconds)
  const [only] = playCrowds(events, [waiting], new SeededRandom('crowd'))
  return { outcome: outcomes[0], seconds: only!.seconds - BEGIN, expiry: own.expiry - BEGIN }
}

it('ends the wait of a transfer if no crowd comes', () => {
  const refunded = play([], 2, 'refund')
  expect(refunded.outcome).toBe('refunded')
  expect(refunded.seconds).toBeGreaterThan(refunded.expiry + 600)
  const delivered = play([], 2, 'deliver')
  expect(delivered.outcome).toBe('delivered')
  expect(delivered.seconds).toBeGreaterThanOrEqual(delivered.expiry - 600)
  expect(delivered.seconds).toBeLessThan(delivered.expiry - 300)
})

it('delivers a transfer in its crowd only while enough other wallets wait', () => {
  const many = Array.from({ length: 30 }, (_, place) => 1_000 + place * 100)
  const came = play(many, 3, 'refund')
  expect(came.outcome).toBe('came')
  expect(came.seconds).toBeGreaterThan(1_000)
  expect(came.seconds).toBeLessThan(came.expiry - 600)
  expect(play(many, 32, 'refund').outcome).toBe('refunded')
})
