/**
 * The most lamports that one settlement takes from its relayer: the rent of a Nullifier of 40 bytes and of a
 * Token-2022 account of 170, `(128 + bytes) * 6,960` each, 3,243,360 in all, and a signature. Rounded up in case a
 * cluster's rent is higher; the priority fee is added.
 */
export const SETTLEMENT_LAMPORTS = 4_000_000n

/** Lamports that a relayer must hold to be chosen: the cost of two settlements, and its own rent minimum. */
export const BALANCE_MIN = 2n * SETTLEMENT_LAMPORTS + 2_000_000n

/** The number of settlements that these balances can still pay for, counted for each relayer separately. */
export function affordable(balances: readonly bigint[], priorityLamports: bigint): bigint {
  const cost = SETTLEMENT_LAMPORTS + priorityLamports
  const least = BALANCE_MIN + priorityLamports
  return balances
    .filter((balance) => balance >= least)
    .reduce((sum, balance) => sum + (balance - least) / cost + 1n, 0n)
}
