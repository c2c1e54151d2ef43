/**
 * Lamports that one settlement takes from its relayer at worst: the rent of a Nullifier of 48 bytes and
 * of a Token-2022 account of 170, `(128 + bytes) * 6,960` each, 3,299,040 in all, and a signature. Above
 * it, so that a cluster's dearer rent doesn't surprise; the priority fee comes on top.
 */
export const SETTLEMENT_LAMPORTS = 4_000_000n

/** Lamports that a relayer must hold to be given a settlement: two of them, and its own rent minimum. */
export const BALANCE_MIN = 2n * SETTLEMENT_LAMPORTS + 2_000_000n

/** Settlements that these balances can still pay for, each relayer by itself. */
export function affordable(balances: readonly bigint[], priorityLamports: bigint): bigint {
  const cost = SETTLEMENT_LAMPORTS + priorityLamports
  const least = BALANCE_MIN + priorityLamports
  return balances
    .filter((balance) => balance >= least)
    .reduce((sum, balance) => sum + (balance - least) / cost + 1n, 0n)
}
