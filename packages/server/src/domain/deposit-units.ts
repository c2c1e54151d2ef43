/**
 * Compute limit of a deposit transaction. It is more than the program's limit of 70,000, which leaves room for the
 * instructions that wallets add as checks.
 */
export const DEPOSIT_COMPUTE_UNITS = 120_000
