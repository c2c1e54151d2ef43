import { expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import { ChainOfSteps } from './chain-of-steps.ts'
import { NOW_MS, openStores, STORE_KINDS } from './open-stores.ts'

it.each(STORE_KINDS)(
  'the chain does not count as followed while a node repeats a slot, in %s',
  async (kind) => {
    const stores = await openStores(kind)
    try {
      const chain = await ChainOfSteps.begin(stores)
      const followedAt = async () =>
        (await stores.market.readMarket(0n, unixSeconds(0n))).followedAtMs
      const step = chain.batch([])
      await chain.record(step, NOW_MS + 1_000)
      const { followedSeconds } = await stores.market.readMarket(0n, unixSeconds(0n))
      expect(followedSeconds).toBe(step.head.unixSeconds)
      expect(await followedAt()).toBe(NOW_MS + 1_000)
      // A worker records the same head again, without new leaves.
      const again = { ...step, from: step.head.nextLeaf }
      expect(await chain.record(again, NOW_MS + 60_000)).toBe(true)
      expect(await followedAt()).toBe(NOW_MS + 1_000)
      const next = chain.batch([])
      expect(await chain.record(next, NOW_MS + 61_000)).toBe(true)
      expect(await followedAt()).toBe(NOW_MS + 61_000)
    } finally {
      await stores.close()
    }
  },
)
