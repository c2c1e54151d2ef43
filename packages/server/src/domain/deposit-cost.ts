import {
  amount,
  LAMPORTS_PER_SIGNATURE,
  ORDER_BYTES,
  priorityLamports,
  rentMinimum,
  unitPriceOf,
  walletMinimum,
  type Amount,
  type PriceStep,
} from '@sotto/protocol'
import { DEPOSIT_COMPUTE_UNITS } from './deposit-units.ts'

/** A deposit has two signatures: the sender's and the authoriser's. */
const DEPOSIT_SIGNATURES = 2n

/**
 * Lamports that a sender needs in addition to the amount: for both signatures, the priority fee, the rent of the Order
 * account, and the minimum balance of the wallet. The rent is returned later. The priority fee is computed at the next
 * higher price step, because the price may rise between quote and order.
 */
export const depositCost = (lamportsPerByte: bigint, step: PriceStep): Amount =>
  amount(
    LAMPORTS_PER_SIGNATURE * DEPOSIT_SIGNATURES +
      priorityLamports(unitPriceOf(step + 1), BigInt(DEPOSIT_COMPUTE_UNITS)) +
      rentMinimum(lamportsPerByte, BigInt(ORDER_BYTES)) +
      walletMinimum(lamportsPerByte),
  )
