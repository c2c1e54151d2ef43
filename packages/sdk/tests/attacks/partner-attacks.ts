import { amount } from '@sotto/protocol'
import { byTransaction, type Attack } from './attack.ts'
import { forgeTicket } from './forge.ts'
import type { HonestOrder } from './honest-order.ts'

/** The service keeps part of the partner's share as its own fee. All of its statements agree with each other. */
const withheld = (name: string, keptOf: (honest: HonestOrder) => bigint): Attack => {
  const valueOf = (honest: HonestOrder) => {
    const { value, sourceMint, destinationMint } = honest.terms
    return sourceMint === destinationMint ? amount(value + keptOf(honest)) : value
  }
  return byTransaction(
    `${name}, and order, quote and ticket agree`,
    'partner',
    (honest) => {
      const { partnerFee, partnerAccount } = honest.terms
      const rest = partnerFee - keptOf(honest)
      return {
        terms: {
          value: valueOf(honest),
          partnerFee: amount(rest),
          partnerAccount: rest === 0n ? undefined : partnerAccount,
        },
      }
    },
    (honest) => {
      const { feeBreakdown } = honest.quote
      const kept = keptOf(honest)
      return {
        quote: {
          feeBreakdown: {
            ...feeBreakdown,
            serviceFee: `${BigInt(feeBreakdown.serviceFee) + kept}`,
            partnerFee: `${BigInt(feeBreakdown.partnerFee) - kept}`,
          },
        },
        order: { recovery: forgeTicket(honest, { value: valueOf(honest) }) },
      }
    },
    'partner',
  )
}

export const partnerAttacks: readonly Attack[] = [
  withheld("the partner's share is zero", ({ terms }) => terms.partnerFee),
  withheld("the partner's share is halved", ({ terms }) => terms.partnerFee / 2n),
  withheld("the partner's share is one less", () => 1n),
]
