import { AmountString } from '@sotto/contract'
import { amount, U64_MAX, type Amount } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ServiceError } from '../service-error.ts'
import { pricePayment } from './price-payment.ts'

interface Tariff {
  readonly serviceBps: number
  readonly networkFee: Amount
}

/** The payout of a gross amount, by the formula of the documentation: the share is rounded up. */
function payoutBy(gross: bigint, { serviceBps, networkFee }: Tariff): bigint {
  const [share, rest] = [
    (gross * BigInt(serviceBps)) / 10_000n,
    (gross * BigInt(serviceBps)) % 10_000n,
  ]
  return gross - share - (rest === 0n ? 0n : 1n) - networkFee
}

/** Prices a payment, or returns the refusal's code and bounds. */
function price(...[asked, balance, payoutMin, tariff]: Parameters<typeof pricePayment>) {
  try {
    return { ...pricePayment(asked, balance, payoutMin, tariff), code: undefined }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { min, max } = error.context
    return { code: error.code, min, max }
  }
}

const u64 = fc.bigInt({ min: 0n, max: U64_MAX }).map(amount)
const small = fc.bigInt({ min: 0n, max: 60n }).map(amount)
const modes = fc.constantFrom('exact_in' as const, 'exact_out' as const)

it('a payment takes the smallest gross amount of the balance that pays what was asked', () => {
  const tariffs = fc.record({ serviceBps: fc.integer({ min: 0, max: 1_000 }), networkFee: small })
  fc.assert(
    fc.property(modes, small, small, small, tariffs, (mode, asked, balance, payoutMin, tariff) => {
      const least = payoutMin === 0n ? amount(1n) : payoutMin
      const priced = price({ mode, amount: asked }, balance, least, tariff)
      const grosses = Array.from({ length: Number(balance) + 1 }, (_, gross) => BigInt(gross))
      const payable = grosses.filter((gross) => payoutBy(gross, tariff) >= least)
      const gross =
        mode === 'exact_in'
          ? payable.find((one) => one === asked)
          : payable.find((one) => payoutBy(one, tariff) === asked)
      if (gross === undefined) {
        expect(priced.code).toBeDefined()
        return
      }
      const payout = payoutBy(gross, tariff)
      expect(priced).toMatchObject({ gross, payout, fee: gross - payout, code: undefined })
    }),
    { numRuns: 3_000 },
  )
})

it('the bounds of a refused payment are amounts of the interface, whatever the tariff is', () => {
  const tariffs = fc.record({ serviceBps: fc.integer({ min: 0, max: 1_000 }), networkFee: u64 })
  fc.assert(
    fc.property(modes, u64, u64, u64, tariffs, (mode, asked, balance, payoutMin, tariff) => {
      const priced = price({ mode, amount: asked }, balance, payoutMin, tariff)
      if (priced.code === undefined) return
      for (const bound of [priced.min, priced.max]) {
        expect([bound, AmountString.safeParse(bound).success]).toEqual([bound, true])
      }
    }),
  )
})
