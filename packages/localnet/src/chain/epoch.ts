/** Number of slots in an epoch of Solana's public clusters. */
export const SLOTS_PER_EPOCH = 432_000
