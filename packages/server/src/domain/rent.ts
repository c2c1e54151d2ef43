import { amount, priorityLamports, unitPriceOf, type Amount, type PriceStep } from '@sotto/protocol'
import { DEPOSIT_COMPUTE_UNITS } from './deposit-units.ts'

// Solana's rent: an account must keep lamports for each byte, including 128 bytes of overhead. The price of a byte is
// set by the cluster and may change, so the service reads it from the chain.
const OVERHEAD_BYTES = 128n
/** The cost of one signature. A deposit has two signatures: the sender's and the authoriser's. */
const LAMPORTS_PER_SIGNATURE = 5_000n
const DEPOSIT_SIGNATURES = 2n
const ORDER_BYTES = 56n

/** The minimum number of lamports that an account with this many bytes of data must keep. */
export const rentMinimum = (lamportsPerByte: bigint, bytes: bigint): Amount =>
  amount((OVERHEAD_BYTES + bytes) * lamportsPerByte)

/** The minimum balance of a wallet, which is also the minimum amount of a native delivery. */
export const walletMinimum = (lamportsPerByte: bigint): Amount => rentMinimum(lamportsPerByte, 0n)

/**
 * Lamports that a sender needs in addition to the amount: for both signatures, the priority fee, the rent of the Order
 * account, and the minimum balance of the wallet. The rent is returned later. The priority fee is that of the next
 * higher step, because the price may rise between quote and order.
 */
export const depositCost = (lamportsPerByte: bigint, step: PriceStep): Amount =>
  amount(
    LAMPORTS_PER_SIGNATURE * DEPOSIT_SIGNATURES +
      priorityLamports(unitPriceOf(step + 1), BigInt(DEPOSIT_COMPUTE_UNITS)) +
      rentMinimum(lamportsPerByte, ORDER_BYTES) +
      walletMinimum(lamportsPerByte),
  )
