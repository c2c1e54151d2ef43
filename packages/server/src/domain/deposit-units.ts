/** Compute limit of a deposit: more than the program's limit of 70,000, with room for wallets' own checks. */
export const DEPOSIT_COMPUTE_UNITS = 120_000
