import {
  CLOCK_SYSVAR,
  shownClock,
  shownNullifier,
  type Address,
  type UnixSeconds,
} from '@sotto/protocol'
import { readTogether, type RecoveryRpc } from './read-accounts.ts'

/** The facts that decide whether a settlement has landed or can still land. */
export interface SettlementFacts {
  readonly program: Address
  /** The address of the note's Nullifier account. The account exists once any settlement of the note has landed. */
  readonly nullifier: Address
  /**
   * The last second of the chain's clock at which the settlement may land. A proof names no payer, so until then anyone
   * who has seen it can put it into another transaction.
   */
  readonly until: UnixSeconds
}

/** A note's state at a finalized slot, and the chain's clock in the same slot. */
export interface FinalEnd {
  readonly kind: 'settled' | 'dead' | 'open'
  readonly clock: UnixSeconds
}

/**
 * Reads a note's state at a finalized slot, which is never rolled back. `settled`: the note's Nullifier exists. `dead`:
 * the Nullifier doesn't exist, and the chain's clock is past `until`. `open`: the settlement may still land.
 */
export async function readFinalEnd(
  rpc: RecoveryRpc,
  { program, nullifier, until }: SettlementFacts,
  abortSignal?: AbortSignal,
): Promise<FinalEnd> {
  // Both accounts are read at the same slot: an older reading of the Nullifier with a newer reading of the clock would
  // prove nothing.
  const accounts = [CLOCK_SYSVAR, nullifier]
  const [shown, found] = await readTogether(rpc, accounts, 'finalized', abortSignal)
  const clock = shownClock(shown)
  if (shownNullifier(program, found) !== undefined) return { kind: 'settled', clock }
  return { kind: clock > until ? 'dead' : 'open', clock }
}
