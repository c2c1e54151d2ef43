import { amount, NATIVE_MINT, unixSeconds } from '@sotto/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BALANCE_SECONDS_MIN } from '../../src/domain/balance.ts'
import { HABIT_SECONDS } from '../../src/domain/observed-market.ts'
import { ChainOfSteps, DEADLINE, SEALED } from './chain-of-steps.ts'
import {
  ACCOUNT,
  EPOCHS,
  NOW_MS,
  openStores,
  OTHER_MINT,
  STORE_KINDS,
  type Stores,
} from './open-stores.ts'

const END = { epoch: EPOCHS[0], sealedOutcome: SEALED, attempt: undefined }

describe.each(STORE_KINDS)('a time that a node shows, in %s', (kind) => {
  let stores: Stores
  let store: Stores['settlement']
  let chain: ChainOfSteps
  beforeAll(async () => {
    stores = await openStores(kind)
    store = stores.settlement
    chain = await ChainOfSteps.begin(stores)
  })
  afterAll(() => stores.close())

  it('does not believe a deposit’s block time outside the time in which the deposit must have landed', async () => {
    const recordedAt = DEADLINE - 100n
    const locatedAt = async (seconds: bigint) => {
      const orderId = await chain.deposited()
      const found = { signature: 'signature', slot: 7n, unixSeconds: unixSeconds(seconds) }
      await store.recordLocated(orderId, found)
      return (await stores.orders.readOrder(ACCOUNT, orderId))!.order.deposit?.unixSeconds
    }
    // The deposit was final when it was recorded. A later time would make the deposit seem to wait for years.
    expect(await locatedAt(2_700_000_000n)).toBe(recordedAt)
    expect(await locatedAt(recordedAt + 1n)).toBe(recordedAt)
    // The order is older than its deposit. The chain's clock may differ from the wall clock by minutes.
    expect(await locatedAt(1n)).toBe(BigInt(NOW_MS / 1_000) - 300n)
    expect(await locatedAt(recordedAt - 20n)).toBe(recordedAt - 20n)
  })

  it('keeps the facts of a settlement as long as quotes may read them', async () => {
    const value = 79n
    const settle = async (gross: bigint, seconds: bigint) => {
      const shown = {
        ...{ mint: NATIVE_MINT, gross: amount(gross), payee: NATIVE_MINT },
        unixSeconds: unixSeconds(seconds),
      }
      const orderId = await chain.deposited()
      expect(await store.tryComplete({ ...END, orderId, to: 'delivered', shown }, NOW_MS)).toBe(
        true,
      )
    }
    const { unixSeconds: followed } = await store.readCursor()
    // Facts as old as the longest delay and the hours before, in which quotes count settlements.
    const oldest = followed - BigInt(BALANCE_SECONDS_MIN + HABIT_SECONDS)
    await settle(value, oldest)
    await settle(value, oldest + 1n)
    await settle(value + 1n, followed)
    const shown = await store.readShown(oldest)
    const kept = shown.find((one) => one.mint === NATIVE_MINT && one.value === value)
    expect(kept?.events.filter((one) => one.kind === 'settlement')).toHaveLength(2)
  })

  it('keeps the facts of other settlements if a settlement is dated far in the future', async () => {
    const [mint, since] = [OTHER_MINT, unixSeconds(0n)]
    const settle = async (gross: bigint, seconds: bigint) => {
      const orderId = await chain.deposited()
      const shown = {
        ...{ mint, gross: amount(gross), payee: NATIVE_MINT },
        unixSeconds: unixSeconds(seconds),
      }
      const end = { ...END, orderId, to: 'delivered', shown } as const
      expect(await store.tryComplete(end, NOW_MS)).toBe(true)
    }
    const { unixSeconds: followed } = await store.readCursor()
    await settle(77n, followed - 10n)
    await settle(78n, 4_000_000_000n)
    const shown = (await store.readShown(since)).filter((one) => one.mint === mint)
    const times = shown.flatMap(({ value, events }) =>
      events.map(({ atSeconds }) => [value, atSeconds]),
    )
    expect(new Map(times as [bigint, number][])).toEqual(
      new Map([
        [77n, Number(followed) - 10],
        [78n, Number(followed)],
      ]),
    )
  })
})
