import { expect, it } from 'vitest'
import { systemRandom } from '../../adapters/random/system-random.ts'
import { Cooldown } from '../../running/cooldown.ts'
import { FirstReadings } from '../notes/first-readings.ts'
import type { SettleDependencies } from './settle-dependencies.ts'
import { payDueOrders } from './schedule.ts'
import { WorkPool } from '../../running/work-pool.ts'
import type { SpanName } from '../../ports/tracing.ts'

const idOf = (number: number) => new Uint8Array(16).fill(number)

it('pays orders with failed tries last, and in at most a quarter of the places', async () => {
  // Sixteen orders whose last try failed, and three new orders.
  const orders = Array.from({ length: 19 }, (_, index) => ({
    order: { orderId: idOf(index), status: 'deposited' },
    ...{ terms: {}, leafIndex: 0 },
    plan: { deliverAtMs: 0, ...(index < 16 ? { failures: 3 } : {}) },
    note: { expiry: 10_000n, value: 1n },
    nullifier: BigInt(index),
  }))
  const taken: number[] = []
  const ends: (() => void)[] = []
  const workPool = new WorkPool(8)
  const d = {
    tree: { isVerified: true, size: 1 },
    clock: { nowMs: () => 1_000, sleep: () => new Promise(() => undefined) },
    random: { below: () => 0 },
    leaseMs: 8_000,
    workerId: 'worker',
    store: {
      listPayments: async () => [],
      listOpen: async () => orders.map(({ order }) => order),
      // A claimed order stays claimed until the test releases it.
      tryClaim: async (orderId: Uint8Array) => {
        taken.push(orderId[0]!)
        await new Promise<void>((resolve) => ends.push(resolve))
      },
    },
    opener: {
      forgetOthers: () => undefined,
      openPayments: async () => [],
      openAll: async (open: { orderId: Uint8Array }[]) =>
        open.map(({ orderId }) => orders[orderId[0]!]),
    },
    proofs: { forgetOthers: () => undefined },
    retries: { isDue: () => true, hasRested: () => false },
    unclaimed: { isDue: () => true },
    searches: new WorkPool(8),
    chain: { readHead: async () => ({ unixSeconds: 0n, slot: 0n }) },
    ...{ workPool, concurrency: 8, proofQueue: { proofsPerHour: 3_600 } },
  } as unknown as SettleDependencies
  const look = () => payDueOrders(d, new AbortController().signal)
  await look()
  expect(taken.slice(0, 3).sort()).toEqual([16, 17, 18])
  // Orders whose last try failed get only a quarter of the eight places, even if there are many such orders.
  expect(taken).toHaveLength(5)
  await look()
  expect(taken).toHaveLength(5)
  for (const end of ends.splice(0)) end()
  await workPool.idle()
  await look()
  expect(taken.filter((one) => one < 16)).toHaveLength(4)
  for (const end of ends) end()
})

it('queries no node if the only order is a balance whose end was postponed', async () => {
  const order = { orderId: idOf(1), status: 'deposited' }
  let expiry = 90_000n
  let heads = 0
  const d = {
    tree: { isVerified: true, size: 1 },
    clock: { nowMs: () => 1_000 },
    leaseMs: 8_000,
    store: { listPayments: async () => [], listOpen: async () => [order] },
    opener: {
      forgetOthers: () => undefined,
      openPayments: async () => [],
      openAll: async () => [
        { order, leafIndex: 9, terms: { owner: 'key' }, plan: {}, note: { expiry, value: 1n } },
      ],
    },
    proofs: { forgetOthers: () => undefined },
    retries: { isDue: () => true },
    unclaimed: { isDue: () => true },
    searches: new WorkPool(8),
    chain: { readHead: async () => ({ unixSeconds: 0n, slot: BigInt((heads += 1)) }) },
    ...{ workPool: new WorkPool(8), concurrency: 8, proofQueue: { proofsPerHour: 3_600 } },
  } as unknown as SettleDependencies
  const headsOf = async (scope?: 'all') => {
    heads = 0
    await payDueOrders(d, new AbortController().signal, scope)
    return heads
  }
  expect([await headsOf(), await headsOf('all')]).toEqual([0, 1])
  expiry = 3_000n
  expect(await headsOf()).toBe(1)
})

it('begins a refund only when the tree has every leaf from before the expiry', async () => {
  const order = { orderId: idOf(1), status: 'deposited' }
  const tree = { isVerified: true, size: 1, followedAt: undefined as bigint | undefined }
  let claims = 0
  const workPool = new WorkPool(8)
  const d = {
    ...{ tree, leaseMs: 8_000, workerId: 'worker', workPool, concurrency: 8 },
    clock: { nowMs: () => 200_000_000, sleep: () => new Promise(() => undefined) },
    random: { below: () => 0 },
    store: {
      listPayments: async () => [],
      listOpen: async () => [order],
      tryClaim: async () => void (claims += 1),
    },
    opener: {
      forgetOthers: () => undefined,
      openPayments: async () => [],
      openAll: async () => [
        {
          ...{ order, leafIndex: 0, terms: {}, nullifier: 1n },
          ...{ plan: { deliverAtMs: 0 }, note: { expiry: 10_000n, value: 1n } },
        },
      ],
    },
    proofs: { forgetOthers: () => undefined },
    retries: { isDue: () => true, hasRested: () => false },
    unclaimed: { isDue: () => true },
    searches: new WorkPool(8),
    chain: { readHead: async () => ({ unixSeconds: 10_001n, slot: 0n }) },
    proofQueue: { proofsPerHour: 3_600 },
  } as unknown as SettleDependencies
  const claimsAt = async (followedAt: bigint | undefined) => {
    tree.followedAt = followedAt
    await payDueOrders(d, new AbortController().signal)
    await workPool.idle()
    return claims
  }
  expect(await claimsAt(undefined)).toBe(0)
  expect(await claimsAt(10_000n)).toBe(0)
  expect(await claimsAt(10_001n)).toBe(1)
})

it('pauses payments whose signature has expired but whose outcome is unknown', async () => {
  // The signatures of eight payments have expired, although the tree has the leaf of their change. These payments wait
  // for up to a week, until nodes show how they ended. The ninth payment was signed later.
  const payments = Array.from({ length: 9 }, (_, index) => ({
    order: { orderId: idOf(index), epoch: 1, sealedPlan: new Uint8Array(0) },
    ...{ terms: {}, leafIndex: 0, nullifier: BigInt(index), changeLeaf: 77n },
    plan: { deliverAtMs: index },
    note: { expiry: 90_000n, value: 1n },
    payment: { validUntil: index < 8 ? 999n : 2_000n },
  }))
  let taken: number[] = []
  const workPool = new WorkPool(8)
  const d = {
    tree: { isVerified: true, size: 1, has: () => true },
    clock: {
      nowMs: () => 1_000_000,
      sleep: (_ms: number, signal: AbortSignal) =>
        new Promise((resolve) => signal.addEventListener('abort', resolve)),
    },
    random: { below: () => 0 },
    ...{ leaseMs: 8_000, workerId: 'worker' },
    store: {
      listPayments: async () => payments.map(({ order }) => order),
      listOpen: async () => [],
      tryClaim: async (orderId: Uint8Array) => {
        taken.push(orderId[0]!)
        // Another worker holds the lease of the ninth payment.
        return orderId[0] === 8 ? undefined : { ...payments[0]!.order, plan: new Uint8Array(0) }
      },
      release: async () => undefined,
      findLeaves: async () => new Map([[77n, 5]]),
      readCursor: async () => ({ unixSeconds: 1_000n }),
    },
    opener: {
      openAll: async () => [],
      openPayments: async (open: { orderId: Uint8Array }[]) =>
        open.map(({ orderId }) => payments[orderId[0]!]),
    },
    retries: new Cooldown(3_000, 60_000),
    unclaimed: { isDue: () => true },
    searches: new WorkPool(8),
    firstReadings: new FirstReadings(),
    chain: {
      readHead: async () => ({ unixSeconds: 1_000n, slot: 0n }),
      readNullifiers: async () => ({ slot: 0n, settled: [undefined] }),
    },
    ...{ workPool, concurrency: 8, proofQueue: { proofsPerHour: 3_600 } },
  } as unknown as SettleDependencies
  const round = async () => {
    taken = []
    await payDueOrders(d, new AbortController().signal)
    await workPool.idle()
    return taken.sort()
  }
  expect(await round()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(await round()).toEqual([8])
})

/**
 * Due transfers. Each is named by the first byte of its id. The transfers at index `crowdFrom` and later indexes wait
 * for a crowd.
 */
function crowdScene({ count, crowdFrom }: { readonly count: number; readonly crowdFrom: number }) {
  const orders = Array.from({ length: count }, (_, index) => ({
    order: { orderId: idOf(index), status: 'deposited' },
    ...{ leafIndex: 0, nullifier: BigInt(index) },
    ...(index < crowdFrom
      ? { terms: {}, plan: { deliverAtMs: 0 } }
      : {
          terms: {
            crowd: { min: 2, missed: 'refund' },
            minDelaySeconds: 0,
            maxDelaySeconds: 1_800,
          },
          plan: { deliverAtMs: 10_000_000, crowdFromMs: 0 },
        }),
    note: { expiry: 10_000n, value: 1n },
  }))
  const taken: number[] = []
  const failures: string[] = []
  const spans: string[] = []
  const crowds = { isThere: async (): Promise<boolean> => true }
  const d = {
    tree: { isVerified: true, size: 1 },
    clock: { nowMs: () => 1_000, sleep: async () => undefined },
    random: systemRandom,
    ...{ leaseMs: 8_000, workerId: 'worker', crowds },
    delayLaw: { meanSeconds: 300, spreadSeconds: 1_800 },
    store: {
      listPayments: async () => [],
      listOpen: async () => orders.map(({ order }) => order),
      // Another worker holds the lease of each order. So this worker only tries to claim the order.
      tryClaim: async (orderId: Uint8Array) => void taken.push(orderId[0]!),
    },
    opener: { openPayments: async () => [], openAll: async () => orders },
    retries: { isDue: () => true, hasRested: () => false },
    unclaimed: { isDue: () => true },
    searches: new WorkPool(8),
    chain: { readHead: async () => ({ unixSeconds: 0n, slot: 0n }) },
    log: { failed: (step: string) => failures.push(step) },
    tracing: {
      within: (name: SpanName, detail: string, work: () => Promise<void>) => {
        spans.push(`${name} ${detail}`)
        return work()
      },
    },
    ...{ workPool: new WorkPool(8), concurrency: 8, proofQueue: { proofsPerHour: 3_600 } },
  } as unknown as SettleDependencies
  const round = async () => {
    await payDueOrders(d, new AbortController().signal)
    await d.workPool.idle()
  }
  return { round, crowds, taken, failures, spans }
}

it('draws the delays of transfers with complete crowds even if a backlog takes all places', async () => {
  const { round, taken } = crowdScene({ count: 60, crowdFrom: 40 })
  await round()
  expect(taken.filter((one) => one >= 40)).toHaveLength(20)
  expect(taken.filter((one) => one < 40)).toHaveLength(8)
})

it('pays other orders even if crowds cannot be counted', async () => {
  const { round, crowds, taken, failures } = crowdScene({ count: 6, crowdFrom: 3 })
  crowds.isThere = async () => {
    throw new Error('the database does not answer')
  }
  await round()
  expect(taken.sort()).toEqual([0, 1, 2])
  expect(failures).toEqual(['pay'])
})

it('records no span that reveals a wait for a crowd', async () => {
  const { round, taken, spans } = crowdScene({ count: 2, crowdFrom: 1 })
  await round()
  expect(taken.sort()).toEqual([0, 1])
  expect(spans).toEqual(['settle deliver'])
})
