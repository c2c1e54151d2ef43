import { getAddressDecoder } from '@solana/kit'
import { amount, NATIVE_MINT, unixSeconds, type Address } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Crowds } from '../../src/settlement/pay/crowds.ts'
import { ChainOfSteps, DEADLINE, newOrder, SEALED, SENDER } from '../store/chain-of-steps.ts'
import { EPOCHS, NOW_MS, openStores, OTHER_MINT, type Stores } from '../store/open-stores.ts'

let stores: Stores
let chain: ChainOfSteps
beforeAll(async () => {
  stores = await openStores('PGlite')
  chain = await ChainOfSteps.begin(stores)
})
afterAll(() => stores.close())

// Allowed: SOTTO_DELIVERY_WINDOW_SECONDS=85800 SOTTO_DELAY_MAX_SECONDS=85800 SOTTO_DELAY_MEAN_SECONDS=40000
const usualDelay = { minDelaySeconds: 0, meanSeconds: 40_000, maxDelaySeconds: 85_800 }

it('counts no delivered transfer as waiting, however long the usual delays are', async () => {
  const { settlement: store, orders } = stores
  const value = amount(1_000_000n)
  const START = Number(DEADLINE) - 100
  const deposit = async (sender: Address, atSeconds: number) => {
    const order = newOrder({ sender, value })
    await orders.tryCreate(order, undefined)
    const batch = chain.batch([order])
    const head = { ...batch.head, unixSeconds: unixSeconds(BigInt(atSeconds)) }
    expect(await chain.record({ ...batch, head })).toBe(true)
    return order
  }
  const settle = async (
    orderId: Uint8Array,
    atSeconds: number,
    of: { mint: Address; gross: bigint },
  ) => {
    const shown = {
      mint: of.mint,
      gross: amount(of.gross),
      payee: NATIVE_MINT,
      unixSeconds: unixSeconds(BigInt(atSeconds)),
    }
    const end = {
      epoch: EPOCHS[0],
      sealedOutcome: SEALED,
      attempt: undefined,
      orderId,
      to: 'delivered',
      shown,
    } as const
    expect(await store.tryComplete(end, NOW_MS)).toBe(true)
  }
  const wallets = Array.from({ length: 60 }, (_, index) =>
    getAddressDecoder().decode(new Uint8Array(32).fill(index + 1)),
  )
  const others = []
  for (const wallet of wallets) others.push(await deposit(wallet, START))
  await deposit(SENDER, START + 1)
  // The two others are delivered a minute later.
  await deposit(SENDER, START + 60)
  for (const { id } of others) await settle(id, START + 60, { mint: NATIVE_MINT, gross: value })
  const crowdOf = async () => {
    const { unixSeconds: now } = await store.readCursor()
    const shown = await store.readShown(now - BigInt(usualDelay.maxDelaySeconds))
    return shown
      .filter((one) => one.mint === NATIVE_MINT && one.value === value)
      .flatMap(({ events }) => events.map(({ kind }) => kind))
      .sort()
  }
  expect((await crowdOf()).filter((kind) => kind === 'settlement')).toHaveLength(60)
  // Thirteen hours later, one settlement of another asset is recorded. All deposits are still in the window.
  const later = await deposit(SENDER, START + 46_800)
  const hidden = async () => {
    const crowds = new Crowds({ store, clock: { nowMs: () => 0 }, usualDelay })
    const opened = {
      order: { orderId: new Uint8Array(16), amountOut: value },
      terms: { crowd: { min: 4, missed: 'refund' }, minDelaySeconds: 0, maxDelaySeconds: 85_800 },
      note: { mint: NATIVE_MINT, value, sender: SENDER },
    }
    ;(store as { readTariffs: unknown }).readTariffs = async () => new Map()
    return crowds.isThere(opened as never, unixSeconds(BigInt(START + 46_800)))
  }
  const before = [await crowdOf(), await hidden()]
  await settle(later.id, START + 46_800, { mint: OTHER_MINT, gross: 5n })
  expect([(await crowdOf()).length, await hidden()]).toEqual([before[0].length, before[1]])
})
