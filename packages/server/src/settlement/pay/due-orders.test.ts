import { unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { systemRandom } from '../../adapters/random/system-random.ts'
import { Cooldown } from '../../running/cooldown.ts'
import { WorkPool } from '../../running/work-pool.ts'
import { payDueOrders } from './schedule.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

const idOf = (number: number) => new Uint8Array(16).fill(number)

/**
 * Runs a round with these orders, in a pool of four places. The clock of the chain and the wall clock show these
 * seconds. Returns the orders that were claimed. Searches of the history never end.
 */
async function claimedAmong(
  orders: readonly { readonly order: { readonly orderId: Uint8Array } }[],
  {
    chainSeconds,
    wallSeconds,
    ...more
  }: {
    readonly chainSeconds: bigint
    readonly wallSeconds: bigint
  } & Partial<SettleDependencies>,
) {
  const taken: number[] = []
  let searches = 0
  const d = {
    tree: { isVerified: true, size: 1 },
    clock: { nowMs: () => 1_000 * Number(wallSeconds), sleep: async () => undefined },
    random: systemRandom,
    ...{ leaseMs: 8_000, workerId: 'worker', clockMarginSeconds: 120n },
    store: {
      listPayments: async () => [],
      listOpen: async () => orders.map(({ order }) => order),
      tryClaim: async (orderId: Uint8Array) => void taken.push(orderId[0]!),
    },
    opener: { openPayments: async () => [], openAll: async () => orders },
    retries: { isDue: () => true, hasRested: () => false },
    unclaimed: new Cooldown(60_000),
    chain: {
      readHead: async () => ({ unixSeconds: chainSeconds, slot: 0n }),
      findSettlement: () => {
        searches += 1
        return new Promise(() => undefined)
      },
    },
    ...{ workPool: new WorkPool(4), searches: new WorkPool(4), concurrency: 4 },
    proofQueue: { proofsPerHour: 3_600 },
    ...more,
  } as unknown as SettleDependencies
  await payDueOrders(d, new AbortController().signal)
  await d.workPool.idle()
  return { taken: taken.sort(), searches }
}

/** A transfer whose note expires at `expiry`, and whose delivery is due at `deliverAtMs`. */
const transferOf = (id: number, expiry: bigint, deliverAtMs: number, failures = 0) => ({
  order: { orderId: idOf(id), status: 'deposited' },
  ...{ terms: {}, leafIndex: 0, nullifier: BigInt(id) },
  ...{ plan: { deliverAtMs, failures }, note: { expiry, value: 1n } },
})

it('starts deliveries and retries even if searches for settled notes never end', async () => {
  const NOW = 1_700_000_000n
  const ended = [0, 1, 2, 3].map((id) => transferOf(id, 1_000n, 0))
  const due = [transferOf(4, NOW + 3_000n, 0), transferOf(5, NOW + 3_000n, 0, 1)]
  const times = { chainSeconds: NOW, wallSeconds: NOW }
  expect(await claimedAmong([...ended, ...due], times)).toEqual({ taken: [4, 5], searches: 1 })
})

it('keeps drawn delays although one of several nodes shows a clock near the expiry', async () => {
  const EXPIRY = 1_700_000_000n
  const wallSeconds = EXPIRY - 3_600n
  const waiting = [transferOf(1, EXPIRY, 1_000 * Number(wallSeconds + 1_200n))]
  const at = (confirmed: bigint) => ({
    ...{ chainSeconds: EXPIRY - 121n, wallSeconds },
    witness: { confirmed: () => unixSeconds(confirmed) },
  })
  expect((await claimedAmong(waiting, at(wallSeconds))).taken).toEqual([])
  expect((await claimedAmong(waiting, at(0n))).taken).toEqual([])
  // The wall clock was set back by an hour. The delivery must land before the expiry.
  expect((await claimedAmong(waiting, at(EXPIRY - 121n))).taken).toEqual([1])
})
