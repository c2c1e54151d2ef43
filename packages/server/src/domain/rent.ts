// Solana's rent: an account must hold two years' rent, which includes an overhead of 128 bytes.
const OVERHEAD_BYTES = 128n
const LAMPORTS_PER_BYTE = 6_960n
/** The cost of a signature; a deposit has the sender's and the authoriser's. */
const LAMPORTS_PER_SIGNATURE = 5_000n
const DEPOSIT_SIGNATURES = 2n
const ORDER_BYTES = 56n

/** The least lamports that an account with this many bytes of data must keep. */
export const rentMinimum = (bytes: bigint): bigint => (OVERHEAD_BYTES + bytes) * LAMPORTS_PER_BYTE

/** What a wallet must keep, and the least that a native delivery may pay. */
export const WALLET_MINIMUM = rentMinimum(0n)

/**
 * Lamports that a sender needs beside the amount: both signatures, the priority fee, the rent of the
 * Order (which comes back) and what the wallet itself must keep.
 */
export const depositCost = (priorityFee: bigint): bigint =>
  LAMPORTS_PER_SIGNATURE * DEPOSIT_SIGNATURES +
  priorityFee +
  rentMinimum(ORDER_BYTES) +
  WALLET_MINIMUM
