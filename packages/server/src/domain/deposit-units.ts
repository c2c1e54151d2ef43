/**
 * Compute limit of a deposit transaction. A test checks that the program's instruction uses at most 70,000 units. The
 * rest is for the instructions that wallets add as checks.
 */
export const DEPOSIT_COMPUTE_UNITS = 120_000
