import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit'
import { expect, it } from 'vitest'
import {
  amount,
  boundStep,
  NATIVE_MINT,
  percentileOf,
  priorityLamports,
  readRecentPrice,
  STEP_MAX,
  stepAtLeast,
  stepAtMost,
  UNIT_PRICES,
  unitPriceOf,
} from '../index.ts'

it('takes the lowest price that is at least the wanted price', () => {
  expect([0n, 1n, 1_024n, 1_025n, 10n ** 12n].map(stepAtLeast)).toEqual([0, 1, 1, 2, STEP_MAX])
  expect(unitPriceOf(stepAtLeast(5_000n))).toBe(16_384n)
})

it('takes the highest price whose fee, rounded up as the chain rounds, is within a limit', () => {
  expect(priorityLamports(1_024n, 250_001n)).toBe(257n)
  expect(stepAtMost(amount(255n), 250_000n)).toBe(0)
  expect(stepAtMost(amount(256n), 250_000n)).toBe(1)
  expect(stepAtMost(amount(10n ** 12n), 250_000n)).toBe(STEP_MAX)
})

it('has seven prices, and each price from the third is four times the price before it', () => {
  const [, ...powers] = UNIT_PRICES
  expect(UNIT_PRICES).toHaveLength(7)
  for (const [index, price] of powers.slice(1).entries()) expect(price).toBe(4n * powers[index]!)
})

it('keeps a step within its bounds', () => {
  const bounds = { floor: 1, ceiling: 3 }
  expect([0, 1, 2, 3, 6].map((step) => boundStep(step, bounds))).toEqual([1, 1, 2, 3, 3])
})

it('a percentile is one of the prices, and 0 if there are no prices', () => {
  const fees = [40n, 10n, 30n, 20n]
  expect([1, 25, 26, 75, 76, 100].map((percent) => percentileOf(fees, percent))).toEqual([
    10n,
    10n,
    20n,
    30n,
    40n,
    40n,
  ])
  expect(percentileOf([], 75)).toBe(0n)
})

it('asks the node for recent prices of the named accounts alone', async () => {
  const asked: unknown[] = []
  const transport: RpcTransport = async <Response>({ payload }: { payload: unknown }) => {
    const { id, ...request } = payload as { id: string }
    asked.push(request)
    const result = [0, 7_000, 2_000, 9_000].map((prioritizationFee, slot) => ({
      ...{ slot, prioritizationFee },
    }))
    return { jsonrpc: '2.0', id, result } as Response
  }
  const rpc = createSolanaRpcFromTransport(transport)
  expect(await readRecentPrice(rpc, [NATIVE_MINT], 75)).toBe(7_000n)
  expect(asked).toMatchObject([{ method: 'getRecentPrioritizationFees', params: [[NATIVE_MINT]] }])
})
