import { amount, NATIVE_MINT, unixSeconds } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { updateAsset, type AssetRowChange } from '../../src/operator/asset/asset-row.ts'
import { ChainOfSteps, DEADLINE } from './chain-of-steps.ts'
import { openStores, type Stores } from './open-stores.ts'

let stores: Stores
beforeAll(async () => {
  stores = await openStores('PGlite')
  const chain = await ChainOfSteps.begin(stores)
  await chain.deposited()
})
afterAll(() => stores.close())

/** The time of the deposit, which `ChainOfSteps` records. */
const DEPOSITED = Number(DEADLINE) - 100

async function shownAfter(change: AssetRowChange, changedAt: number): Promise<number> {
  await updateAsset(stores.database!, NATIVE_MINT, change, changedAt * 1_000)
  const shown = await stores.settlement.readShown(unixSeconds(0n))
  return shown.flatMap(({ events }) => events).length
}

it('does not count a deposit that shows an older tariff', async () => {
  // A deposit in the five minutes after a change may still have been quoted with the old tariff.
  expect(await shownAfter({ networkFeeExists: amount(7n) }, DEPOSITED - 300)).toBe(1)
  expect(await shownAfter({ symbol: 'SOL' }, DEPOSITED)).toBe(1)
  expect(await shownAfter({ networkFeeExists: amount(8n) }, DEPOSITED - 299)).toBe(0)
  expect(await shownAfter({ serviceBps: 31 }, DEPOSITED - 300)).toBe(1)
  expect(await shownAfter({ networkFeeCreated: amount(9n) }, DEPOSITED + 60)).toBe(0)
})
