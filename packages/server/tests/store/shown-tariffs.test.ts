import { amount, NATIVE_MINT, unixSeconds, type Address, type Amount } from '@sotto/protocol'
import { getAddressDecoder } from '@solana/kit'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { updateAsset, type AssetRowChange } from '../../src/operator/asset/asset-row.ts'
import { Crowds } from '../../src/settlement/pay/crowds.ts'
import type { OpenedOrder } from '../../src/settlement/notes/opened-order.ts'
import { ChainOfSteps, DEADLINE, newOrder, SENDER } from './chain-of-steps.ts'
import { openStores, type Stores } from './open-stores.ts'

let stores: Stores
let chain: ChainOfSteps
beforeAll(async () => {
  stores = await openStores('PGlite')
  chain = await ChainOfSteps.begin(stores)
})
afterAll(() => stores.close())
beforeEach(() => stores.database!.query('UPDATE orders SET deposit_at = NULL', []))

/** The time of the deposits that `ChainOfSteps` records. */
const DEPOSITED = Number(DEADLINE) - 100

const change = (to: AssetRowChange, changedAt: number) =>
  updateAsset(stores.database!, NATIVE_MINT, to, changedAt * 1_000)

async function shownAfter(to: AssetRowChange, changedAt: number): Promise<number> {
  await change(to, changedAt)
  const shown = await stores.settlement.readShown(unixSeconds(0n))
  return shown.flatMap(({ events }) => events).length
}

it('does not count a deposit that shows an older tariff', async () => {
  await chain.deposited()
  // A deposit in the five minutes after a change may still have been quoted with the old tariff.
  expect(await shownAfter({ networkFeeExists: amount(7n) }, DEPOSITED - 300)).toBe(1)
  expect(await shownAfter({ symbol: 'SOL' }, DEPOSITED)).toBe(1)
  expect(await shownAfter({ networkFeeExists: amount(8n) }, DEPOSITED - 299)).toBe(0)
  expect(await shownAfter({ serviceBps: 31 }, DEPOSITED - 300)).toBe(1)
  expect(await shownAfter({ networkFeeCreated: amount(9n) }, DEPOSITED + 60)).toBe(0)
})

it('delivers no waiting transfer in a crowd of transfers with another fee', async () => {
  const usualDelay = { minDelaySeconds: 0, meanSeconds: 300, maxDelaySeconds: 1_800 }
  const { settlement: store } = stores
  const value = amount(1_000_000n)
  const deposit = async (sender: Address, atSeconds: number) => {
    const order = newOrder({ sender, value })
    await stores.orders.tryCreate(order, undefined)
    const batch = chain.batch([order])
    const head = { ...batch.head, unixSeconds: unixSeconds(BigInt(atSeconds)) }
    expect(await chain.record({ ...batch, head })).toBe(true)
  }
  const end = DEPOSITED + 900
  /** Returns true if an order with this fee has a crowd of two. The crowd is counted after all deposits. */
  const hasCrowd = (amountOut: Amount) => {
    // Each call reads the facts again.
    const clock = { nowMs: () => 0, sleep: async () => undefined }
    const crowds = new Crowds({ store, clock, usualDelay })
    const opened = {
      order: { orderId: new Uint8Array(16), amountOut },
      terms: { crowd: { min: 2, missed: 'refund' }, minDelaySeconds: 0, maxDelaySeconds: 1_800 },
      note: { mint: NATIVE_MINT, value, sender: SENDER },
    }
    return crowds.isThere(opened as unknown as OpenedOrder, unixSeconds(BigInt(end)))
  }
  const old = { serviceBps: 30, networkFeeExists: amount(500n), networkFeeCreated: amount(9_000n) }
  await change(old, 0)
  const paid = (networkFee: bigint, serviceBps = 30) =>
    amount(value - 3_000n + (30n - BigInt(serviceBps)) * 100n - networkFee)
  await deposit(SENDER, DEPOSITED)
  for (let others = 0; others < 8; others += 1) {
    await deposit(getAddressDecoder().decode(randomBytes(32)), end - 60)
  }
  expect(await hasCrowd(paid(500n))).toBe(true)
  expect(await hasCrowd(paid(9_000n))).toBe(true)
  // The other wallets deposited after the change. The old fee shows that a transfer was quoted before the change.
  await change({ networkFeeExists: amount(1_000n) }, DEPOSITED + 60)
  expect(await hasCrowd(paid(500n))).toBe(false)
  expect(await hasCrowd(paid(1_000n))).toBe(true)
  // This is the fee of a delivery that creates the recipient's account. The change doesn't affect this fee.
  expect(await hasCrowd(paid(9_000n))).toBe(true)
  await change({ serviceBps: 31 }, DEPOSITED + 60)
  expect(await hasCrowd(paid(1_000n))).toBe(false)
  expect(await hasCrowd(paid(1_000n, 31))).toBe(true)
})
