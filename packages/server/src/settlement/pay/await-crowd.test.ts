import { amount, unixSeconds, type Address, type UnixSeconds } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { systemRandom } from '../../adapters/random/system-random.ts'
import type { CrowdWish } from '../../domain/crowd.ts'
import type { PublicEvent } from '../../domain/observed-deposits.ts'
import type { Delays } from '../../domain/delivery-schedule.ts'
import { decodePlan, encodeTerms, type DeliveryPlan } from '../../domain/order-secrets.ts'
import { drawPlan } from '../follow/plan-delivery.ts'
import { afterCount, planForCrowd } from './await-crowd.ts'
import { Crowds } from './crowds.ts'
import type { OpenOrder } from '../../ports/settlement-store.ts'
import type { OpenedOrder } from '../notes/opened-order.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

const MINT = 'mint' as Address
const SENDER = 'own wallet' as Address
const NOW = 10_000
const CLOCK = unixSeconds(BigInt(NOW))
const NOW_MS = 5_000_000
const EXPIRY = unixSeconds(20_000n)
const VALUE = amount(7n)
const PLAN = new Uint8Array([1])
const usualDelay = { minDelaySeconds: 0, meanSeconds: 300, maxDelaySeconds: 1_800 }

const deposits = (...wallets: string[]): PublicEvent[] => depositsAt(NOW - 10, ...wallets)

const depositsAt = (atSeconds: number, ...wallets: string[]): PublicEvent[] =>
  wallets.map((wallet) => ({ kind: 'deposit', atSeconds, wallet: wallet as Address }))

/** The times of other clocks than that of the one node that was asked. */
interface OtherTimes extends Pick<SettleDependencies, 'clockMarginSeconds'> {
  readonly nowMs?: number
  readonly witness?: { readonly confirmedTime: UnixSeconds }
}

/**
 * Creates settlement's dependencies for a chain that has these events and was followed up to this time. `written`
 * collects the plans that are written.
 */
function scene(
  events: readonly PublicEvent[],
  followed = CLOCK,
  open: readonly Partial<OpenOrder>[] = [],
  { nowMs = NOW_MS, ...times }: OtherTimes = {},
) {
  const written: DeliveryPlan[] = []
  let reads = 0
  const clock = { nowMs: () => nowMs, sleep: async () => undefined }
  const habit = { deposits: 1_000, settlements: 1_000 }
  const store = {
    readCursor: async () => ({ unixSeconds: followed }),
    readShown: async () => {
      reads += 1
      return [{ mint: MINT, value: VALUE, events, habit }]
    },
    readTariffs: async () => new Map(),
    listOpen: async () => open,
    tryClaim: async (orderId: Uint8Array) => ({ orderId, fence: 1n, epoch: 1, plan: PLAN }),
    tryRenew: async () => true,
    release: async () => undefined,
    tryReplacePlan: async (_lease: unknown, sealed: Uint8Array) =>
      written.push(decodePlan(sealed)) > 0,
  }
  const shared = { store, clock, random: systemRandom, leaseMs: 1_000, workerId: 'worker' }
  const delayLaw = { meanSeconds: 300, spreadSeconds: 1_800 }
  const crowds = new Crowds({ store: store as never, clock, usualDelay, ...times })
  const d = { ...shared, delayLaw, crowds } as unknown as SettleDependencies
  return { d, written, reads: () => reads }
}

const opened = (crowd: CrowdWish, plan: DeliveryPlan): OpenedOrder =>
  ({
    order: { orderId: new Uint8Array(16), epoch: 1, sealedPlan: PLAN },
    secrets: { seal: (_id: Uint8Array, _column: string, clear: Uint8Array) => clear },
    terms: { crowd, minDelaySeconds: 60, maxDelaySeconds: 1_860 },
    note: { mint: MINT, value: VALUE, sender: SENDER, expiry: EXPIRY },
    plan,
  }) as unknown as OpenedOrder

const WAITING = { deliverAtMs: NOW_MS + 900_000, crowdFromMs: NOW_MS - 1 }
const MET = { deliverAtMs: NOW_MS - 1 }
const OF_THREE = { min: 3, missed: 'refund' } as const

it('counts a crowd as complete only with the requested number of wallets', async () => {
  const own = deposits(SENDER)
  const step = (events: PublicEvent[]) => afterCount(scene(events).d, opened(OF_THREE, MET), CLOCK)
  expect(await step([...own, ...deposits('a', 'b')])).toBe('deliver')
  expect(await step([...own, ...deposits('a')])).toBe('miss_crowd')
  // All deposits of one wallet count as one. The sender's own deposits don't count.
  expect(await step([...own, ...deposits('a', 'a', 'a', 'a')])).toBe('miss_crowd')
  expect(await step([...own, ...deposits('a', SENDER, SENDER)])).toBe('miss_crowd')
  const settlement = { kind: 'settlement', atSeconds: NOW - 1 } as const
  expect(await step([...own, ...deposits('a', 'b'), settlement])).toBe('miss_crowd')
})

it('counts each wallet as one, even if the sender’s note is older than the longest usual delay', async () => {
  const aged: PublicEvent = { kind: 'deposit', atSeconds: NOW - 1_801, wallet: SENDER }
  const others = Array.from({ length: 15 }, (_, place) => `wallet ${place}`)
  for (const count of [1, 2, 4, 15]) {
    const { d } = scene([aged, ...deposits(...others.slice(0, count))])
    const step = (min: number) => afterCount(d, opened({ min, missed: 'refund' }, WAITING), CLOCK)
    expect(await step(count + 1)).toBe('meet_crowd')
    expect(await step(count + 2)).toBe('wait')
  }
})

it('counts all open transfers of the sender, even those older than the longest usual delay', async () => {
  const note = { sender: SENDER, destinationMint: MINT, value: VALUE }
  const open = { ...note, deadline: EXPIRY, expiry: EXPIRY }
  const lastOf = (...others: Partial<OpenOrder>[]) => {
    // The sender's deposits no longer count as pending. An observer may still know that they are undelivered.
    const { d } = scene(deposits('a'), CLOCK, [open, ...others])
    return afterCount(d, opened({ min: 2, missed: 'refund' }, WAITING), CLOCK)
  }
  expect(await lastOf()).toBe('meet_crowd')
  expect(await lastOf(open, open)).toBe('wait')
  const balance = { ...open, expiry: unixSeconds(EXPIRY + 86_400n) }
  const others = [
    { ...open, value: amount(8n) },
    { ...open, sender: 'a' as Address },
  ]
  expect(await lastOf(balance, ...others)).toBe('meet_crowd')
})

it('never delivers immediately when the crowd becomes complete', async () => {
  const { d } = scene([...deposits(SENDER), ...deposits('a', 'b')])
  expect(await afterCount(d, opened(OF_THREE, WAITING), CLOCK)).toBe('meet_crowd')
  expect(await afterCount(scene([]).d, opened(OF_THREE, WAITING), CLOCK)).toBe('wait')
})

it('draws no delay if the rest of the wait is shorter than the mean delay', async () => {
  const stepAt = async (secondsLeft: bigint, plan: DeliveryPlan) => {
    const clock = unixSeconds(EXPIRY - 600n - secondsLeft)
    const { d, reads } = scene(depositsAt(Number(clock) - 10, SENDER, 'a', 'b'), clock)
    return [await afterCount(d, opened(OF_THREE, plan), clock), reads()]
  }
  expect(await stepAt(300n, WAITING)).toEqual(['meet_crowd', 1])
  for (const secondsLeft of [290n, 5n, 1n]) {
    expect(await stepAt(secondsLeft, WAITING)).toEqual(['wait', 0])
    // If the crowd was complete earlier, a delay was drawn then. That delay may end within the last seconds of the
    // wait.
    expect(await stepAt(secondsLeft, MET)).toEqual(['deliver', 1])
  }
})

it('I11: does not count deposits older than the longest usual delay if a wall clock is set back', async () => {
  const { d } = scene([...deposits(SENDER), ...deposits('a', 'b')])
  const stepAt = (clock: number, plan: DeliveryPlan) =>
    afterCount(d, opened(OF_THREE, plan), unixSeconds(BigInt(clock)))
  // The followed time is never later than the worker's wall clock, which was set back. The node shows the chain's time.
  const later = NOW + usualDelay.maxDelaySeconds
  expect(await stepAt(NOW, MET)).toBe('deliver')
  expect(await stepAt(later, MET)).toBe('miss_crowd')
  expect(await stepAt(later, WAITING)).toBe('wait')
})

it('I11: does not count old deposits if one of several nodes shows a clock that is hours late', async () => {
  // The worker has followed the chain only with the late node's clock.
  const events = deposits(SENDER, 'a', 'b')
  const stepBy = (times: OtherTimes) =>
    afterCount(scene(events, CLOCK, [], times).d, opened(OF_THREE, MET), CLOCK)
  const hoursLater = unixSeconds(BigInt(NOW + 7_200))
  const nowMs = (NOW + 7_320) * 1_000
  expect(await stepBy({ nowMs })).toBe('deliver')
  expect(await stepBy({ nowMs, witness: { confirmedTime: hoursLater } })).toBe('miss_crowd')
  expect(await stepBy({ nowMs, clockMarginSeconds: 120n })).toBe('miss_crowd')
  // Earlier times change nothing.
  const earlier = {
    nowMs: 0,
    clockMarginSeconds: 120n,
    witness: { confirmedTime: unixSeconds(0n) },
  }
  expect(await stepBy(earlier)).toBe('deliver')
})

it('draws a delay from the full range of the transfer’s delays when the crowd is complete', async () => {
  const { d, written } = scene([])
  const order = opened(OF_THREE, { ...WAITING, failures: 2, reason: 'recipient_not_payable' })
  for (let count = 0; count < 200; count += 1) {
    await planForCrowd(d, order, 'meet_crowd', unixSeconds(BigInt(NOW)))
  }
  const delays = written.map(({ deliverAtMs }) => deliverAtMs - NOW_MS)
  expect(Math.min(...delays)).toBeLessThan(60_000)
  expect(Math.max(...delays)).toBeGreaterThan(600_000)
  expect(Math.max(...delays)).toBeLessThanOrEqual(1_800_000)
  expect(new Set(delays).size).toBeGreaterThan(150)
  expect(written.every(({ crowdFromMs }) => crowdFromMs === undefined)).toBe(true)
  expect(written[0]).toMatchObject({ failures: 2, reason: 'recipient_not_payable' })
})

it('once the crowd is lost, waits for the refund or for the delivery without a crowd', async () => {
  const leftMs = Number(EXPIRY - BigInt(NOW)) * 1_000
  const { d, written } = scene([])
  const clock = unixSeconds(BigInt(NOW))
  await planForCrowd(d, opened(OF_THREE, MET), 'miss_crowd', clock)
  expect(written[0]).toEqual({ deliverAtMs: NOW_MS + leftMs, crowdFromMs: NOW_MS })
  const delivered = opened({ min: 3, missed: 'deliver' }, MET)
  for (let count = 0; count < 100; count += 1) await planForCrowd(d, delivered, 'miss_crowd', clock)
  const late = written.slice(1).map(({ deliverAtMs }) => deliverAtMs - NOW_MS - leftMs)
  expect(Math.min(...late)).toBeGreaterThanOrEqual(-600_000)
  expect(Math.max(...late)).toBeLessThan(-300_000)
  expect(new Set(late).size).toBeGreaterThan(90)
})

it.each(['meet_crowd', 'miss_crowd'] as const)(
  'after a failed try, a transfer that waits again (%s) is due at its new time',
  async (step) => {
    const { d, written } = scene([])
    const failed = opened({ min: 3, missed: 'deliver' }, { ...MET, failures: 1, firstDueMs: 1 })
    await planForCrowd(d, failed, step, unixSeconds(BigInt(NOW)))
    expect(written).toMatchObject([{ failures: 1 }])
    expect(written[0]?.firstDueMs).toBeUndefined()
  },
)

/**
 * Records a deposit `roomSeconds` before the end of the wait, and draws its plan. Returns the plan, the time of the
 * first count, and the step after that count.
 */
async function firstStep(
  { minDelaySeconds, maxDelaySeconds }: Delays,
  roomSeconds: number,
  isThere: boolean,
) {
  const d = { ...scene([]).d, crowds: { isThere: async () => isThere } }
  const order = opened(OF_THREE, MET)
  const terms = { ...order.terms, minDelaySeconds, maxDelaySeconds }
  const recordedAt = EXPIRY - 600n - BigInt(roomSeconds)
  const sealed = drawPlan(
    d,
    { orderId: order.order.orderId, expiry: EXPIRY, sealedTerms: encodeTerms(terms) },
    {
      open: (_id: never, _column: never, bytes: never) => bytes,
      seal: order.secrets.seal,
    } as never,
    { seconds: unixSeconds(recordedAt), ms: NOW_MS },
  )
  const plan = decodePlan(sealed)
  const countedMs = plan.crowdFromMs ?? plan.deliverAtMs
  // Rounds are seconds apart. So the count comes a few seconds after its drawn time.
  const countedAt = recordedAt + BigInt(Math.ceil((countedMs - NOW_MS) / 1_000))
  const clock = unixSeconds(countedAt + (plan.crowdFromMs === undefined ? 0n : 20n))
  return { plan, countedMs, step: await afterCount(d, { ...order, terms, plan }, clock) }
}

it('never misses a crowd that is complete at the deposit and remains complete', () =>
  fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 3_600 }),
      fc.nat({ max: 3_600 }),
      fc.integer({ min: 1, max: 3_600 }),
      async (one, other, room) => {
        const delays = {
          minDelaySeconds: Math.min(one, other),
          maxDelaySeconds: Math.max(one, other),
        }
        const { step, countedMs } = await firstStep(delays, room, true)
        expect(['meet_crowd', 'deliver']).toContain(step)
        expect(countedMs - NOW_MS).toBeLessThanOrEqual(room * 1_000)
      },
    ),
  ))

it('counts the crowd only once, at the drawn delivery time, if no delay fits between a count and the wait’s end', async () => {
  const delays = { minDelaySeconds: 0, maxDelaySeconds: 1_800 }
  const { plan, step } = await firstStep(delays, 100, false)
  expect([plan.crowdFromMs, step]).toEqual([undefined, 'miss_crowd'])
  const waiting = await firstStep(delays, 1_000, false)
  expect([waiting.plan.crowdFromMs === undefined, waiting.step]).toEqual([false, 'wait'])
})

it('shares one reading of the chain among all waiting transfers of a round', async () => {
  const { d, reads } = scene([])
  for (let count = 0; count < 5; count += 1) await afterCount(d, opened(OF_THREE, WAITING), CLOCK)
  expect(reads()).toBe(1)
})

it('counts an order’s crowd only once in each reading of the chain, even if several rounds need it', async () => {
  const values: bigint[] = []
  const counted = opened(OF_THREE, WAITING)
  const note = new Proxy(counted.note, {
    get: (target, name) => {
      if (name === 'value') values.push(target.value)
      return Reflect.get(target, name) as unknown
    },
  })
  const { d } = scene([...deposits(SENDER), ...deposits('a', 'b')])
  for (let round = 0; round < 5; round += 1) {
    expect(await afterCount(d, { ...counted, note }, CLOCK)).toBe('meet_crowd')
  }
  expect(values).toHaveLength(1)
})
