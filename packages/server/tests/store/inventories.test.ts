import { amount, NATIVE_MINT, unixSeconds } from '@sotto/protocol'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { inventoryMetrics } from '../../src/adapters/metrics/inventory-metrics.ts'
import { sqlInventoryStore } from '../../src/adapters/store/inventory-store.ts'
import { runwayReader } from '../../src/usecases/market/read-runways.ts'
import { ChainOfSteps, DEADLINE, newOrder } from './chain-of-steps.ts'
import { NOW_MS, openStores, OTHER_MINT, type Stores } from './open-stores.ts'

const DAY = 86_400n
const HOUR = 3_600n
const SWAP = { sourceMint: NATIVE_MINT, destinationMint: OTHER_MINT }

let stores: Stores
let chain: ChainOfSteps
beforeAll(async () => {
  stores = await openStores('PostgreSQL')
})
afterAll(() => stores?.close())

const read = async () => {
  const records = await sqlInventoryStore(stores.database!).readInventories(DAY)
  return new Map(records.map((record) => [record.mint, record]))
}

it('inventories are read only after the chain was followed', async () => {
  expect((await read()).size).toBe(0)
  chain = await ChainOfSteps.begin(stores)
  expect((await read()).size).toBe(2)
})

it('counts the swaps of the last day and the unpaid swaps that can still land', async () => {
  const place = (changes: Parameters<typeof newOrder>[0]) =>
    stores.orders.tryCreate(newOrder(changes), undefined)
  await chain.deposited({ ...SWAP, value: amount(70n), amountIn: amount(9n) })
  await chain.deposited({
    ...{ sourceMint: OTHER_MINT, destinationMint: NATIVE_MINT },
    ...{ value: amount(4n), amountIn: amount(20n), partnerFee: amount(3n) },
  })
  // A send doesn't change the inventory.
  await chain.deposited({ value: amount(1_000n) })
  await place({ ...SWAP, value: amount(5n) })
  await place({ ...SWAP, value: amount(600n), validUntil: unixSeconds(DEADLINE - 101n) })
  expect((await read()).get(OTHER_MINT)).toMatchObject({
    ...{ paidOut: 70n, takenIn: 17n, reserved: 5n, isSwappable: true },
    lately: { paidOut: 70n, takenIn: 17n },
  })
  expect((await read()).get(NATIVE_MINT)).toMatchObject({ paidOut: 4n, takenIn: 9n, reserved: 0n })
  const nextHour = { unixSeconds: unixSeconds(DEADLINE - 100n + HOUR + 1n) }
  const quiet = chain.batch([])
  await chain.record({ ...quiet, head: { ...quiet.head, ...nextHour } })
  expect((await read()).get(OTHER_MINT)).toMatchObject({
    ...{ paidOut: 70n, takenIn: 17n, lately: { paidOut: 0n, takenIn: 0n } },
  })
  const later = { unixSeconds: unixSeconds(DEADLINE - 100n + DAY + 1n) }
  const batch = chain.batch([])
  await chain.record({ ...batch, head: { ...batch.head, ...later } })
  expect((await read()).get(OTHER_MINT)).toMatchObject({ paidOut: 0n, takenIn: 0n, reserved: 0n })
})

it('reports when swaps will have used up an inventory', async () => {
  // This deposit is in the same hour as the earlier swaps. Together, the deposit and the swaps reduced the inventory by
  // 153 base units. So 500 base units last for three hours at this hour's rate. At the day's rate, they last for three
  // days.
  await chain.deposited({ ...SWAP, value: amount(100n) })
  let inventory: bigint | undefined = 500n
  let nowMs = NOW_MS
  const readRunways = runwayReader({
    store: sqlInventoryStore(stores.database!),
    readInventories: async (mints) => {
      if (inventory === undefined) throw new Error('no node answers')
      const one = amount(inventory)
      return mints.map((mint) => (mint === OTHER_MINT ? one : undefined))
    },
    clock: { nowMs: () => nowMs, sleep: systemClock.sleep },
  })
  const registry = new Registry()
  inventoryMetrics(registry, readRunways)
  expect(await registry.metrics()).toContain('sotto_inventory_dry_hours{asset="SOL"} 3\n')
  inventory = undefined
  nowMs += 60_000
  expect(await registry.metrics()).toContain('sotto_inventory_dry_hours{asset="SOL"} 3\n')
  nowMs += 600_000
  expect(await registry.metrics()).not.toContain('sotto_inventory_dry_hours{')
})
