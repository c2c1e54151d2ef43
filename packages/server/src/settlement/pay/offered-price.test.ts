import { amount, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { raiseAfterDeath, offeredStep } from './offered-price.ts'
import type { PriceHour } from '../../domain/price-hour.ts'
import { followPrices } from '../upkeep/follow-prices.ts'

/** A price of hour 1 on a chain in hour 2. The node shows the attempt in a block, doesn't show it, or fails. */
function sceneOf(step: number | undefined, node: 'in block' | 'unseen' | 'down' = 'unseen') {
  let price: PriceHour | undefined = step === undefined ? undefined : { hour: 1, step }
  const events: string[] = []
  const percentiles: number[] = []
  return {
    ...{ events, percentiles },
    d: {
      prices: { floor: 1, ceiling: 4, percentile: 60, orderMax: amount(20_000n) },
      store: {
        readPrice: async () => price,
        readCursor: async () => ({ nextLeaf: 0n, slot: 1n, unixSeconds: unixSeconds(7_200n) }),
        tryReplacePrice: async (before: PriceHour | undefined, next: PriceHour) => {
          if (before !== price) return false
          price = next
          return true
        },
        raisePrice: async (to: number) => {
          price = { hour: price?.hour ?? 0, step: Math.max(price?.step ?? 0, to) }
        },
      },
      chain: {
        isInBlock: async () => {
          if (node === 'down') throw new Error('the node does not answer')
          return node === 'in block'
        },
        readRecentPrice: async (percentile: number) => {
          percentiles.push(percentile)
          return 5_000n
        },
      },
      log: { event: (name: string) => events.push(name), failed: () => undefined },
    },
  }
}
const attempt = (step: number, { number = 1, cost = 0n } = {}) => ({
  ...{ signature: 'own', step, number, cost: amount(cost) },
})

it('raises the price for all orders after a dead attempt that no node shows in a block', async () => {
  for (const node of ['unseen', 'down'] as const) {
    const { d, events } = sceneOf(2, node)
    await raiseAfterDeath(d, attempt(2))
    expect(await offeredStep(d)).toBe(3)
    expect(events).toEqual(['price_raised'])
  }
})

it('raises the price once for many dead attempts at one price', async () => {
  const { d } = sceneOf(2)
  for (let count = 0; count < 5; count += 1) await raiseAfterDeath(d, attempt(2))
  expect(await offeredStep(d)).toBe(3)
})

it('does not raise the price if the dead attempt is in a block', async () => {
  const { d, events } = sceneOf(2, 'in block')
  await raiseAfterDeath(d, attempt(2))
  expect(await offeredStep(d)).toBe(2)
  expect(events).toEqual([])
})

it('does not raise the price if the order’s attempts may have cost the allowed sum', async () => {
  // An attempt at the second step costs 1,024 lamports if a block contains it. If no node says whether a block contains
  // it, the cost counts.
  const costs: bigint[] = []
  for (const [node, cost] of [
    ['unseen', 19_999n],
    ['unseen', 20_000n],
    ['down', 18_975n],
    ['down', 18_976n],
  ] as const) {
    const { d } = sceneOf(2, node)
    costs.push(await raiseAfterDeath(d, attempt(2, { cost })))
    expect([node, cost, await offeredStep(d)]).toEqual([
      node,
      cost,
      costs.at(-1)! < 20_000n ? 3 : 2,
    ])
  }
  expect(costs).toEqual([19_999n, 20_000n, 19_999n, 20_000n])
})

it('never raises the price above its ceiling', async () => {
  const { d } = sceneOf(4)
  await raiseAfterDeath(d, attempt(4))
  expect(await offeredStep(d)).toBe(4)
})

it('offers the lowest price until recent prices are read', async () => {
  const { d, percentiles } = sceneOf(undefined)
  expect(await offeredStep(d)).toBe(1)
  await followPrices(d)
  await followPrices(d)
  expect(percentiles).toEqual([60])
  expect(await offeredStep(d)).toBe(3)
})
