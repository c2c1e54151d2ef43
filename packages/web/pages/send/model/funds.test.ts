import { amount, NATIVE_MINT, U64_MAX } from '@sotto/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shortfall } from '@sotto/sdk/wallet'
import { costBeside, mostPayable } from './funds.ts'

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const units = fc.bigInt({ min: 0n, max: U64_MAX }).map(amount)
const asset = fc.constantFrom(NATIVE_MINT as string, USDC)

/**
 * The amounts that the service requires in the wallet for this payment. The costs in addition to the payment are the
 * same for every amount.
 */
const mustHoldFor = (id: string, paid: bigint, cost: bigint) => ({
  native: `${id === NATIVE_MINT ? paid + cost : cost}`,
  source: `${paid}`,
})

const holdings = fc.record({
  id: asset,
  native: units,
  token: units,
  cost: units,
  limit: units,
})

describe('the amount that Max enters', () => {
  it('is exactly the most that the wallet can pay', () => {
    fc.assert(
      fc.property(holdings, ({ id, native, token, cost, limit }) => {
        const balances = { native, source: id === NATIVE_MINT ? native : token }
        const most = mostPayable(id, balances, cost, limit)
        const lacks = (paid: bigint) => {
          const missing = shortfall(id, balances, mustHoldFor(id, paid, cost))
          return missing.native > 0n || missing.source > 0n
        }
        expect(most).toBeLessThanOrEqual(limit)
        if (most > 0n) expect(lacks(most)).toBe(false)
        if (most < limit) expect(lacks(most + 1n)).toBe(true)
      }),
    )
  })

  it('takes the cost from any quote for the same asset', () => {
    fc.assert(
      fc.property(asset, units, units, (id, paid, cost) => {
        expect(costBeside(id, mustHoldFor(id, paid, cost))).toBe(cost)
      }),
    )
  })
})
