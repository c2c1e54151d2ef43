// Solana's rent: an account must hold a price per byte, its overhead of 128 bytes included. The price is the cluster's
// and may change, so it is read from the chain.
const OVERHEAD_BYTES = 128n
/** The cost of a signature; a deposit has the sender's and the authoriser's. */
const LAMPORTS_PER_SIGNATURE = 5_000n
const DEPOSIT_SIGNATURES = 2n
const ORDER_BYTES = 56n

/** The least lamports that an account with this many bytes of data must keep. */
export const rentMinimum = (lamportsPerByte: bigint, bytes: bigint): bigint =>
  (OVERHEAD_BYTES + bytes) * lamportsPerByte

/** The minimum balance of a wallet, and the least that a native delivery may pay. */
export const walletMinimum = (lamportsPerByte: bigint): bigint => rentMinimum(lamportsPerByte, 0n)

/**
 * Lamports that a sender needs besides the amount: both signatures, the priority fee, the rent of the
 * Order (which comes back) and what the wallet itself must keep.
 */
export const depositCost = (lamportsPerByte: bigint, priorityFee: bigint): bigint =>
  LAMPORTS_PER_SIGNATURE * DEPOSIT_SIGNATURES +
  priorityFee +
  rentMinimum(lamportsPerByte, ORDER_BYTES) +
  walletMinimum(lamportsPerByte)
