/** Slots of an epoch on Solana's public clusters. */
export const SLOTS_PER_EPOCH = 432_000
