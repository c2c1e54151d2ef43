import type { Address, Instruction } from '@solana/kit'
import { TAG, writable } from './meta.ts'

/** An account to close, and the wallet that gets its rent. */
export interface Closing {
  readonly account: Address
  readonly rentPayer: Address
}

/**
 * Maximum number of accounts that one transaction closes. If each has a different rent payer, they fill two thirds of a
 * transaction.
 */
export const CLOSINGS_MAX = 10

/**
 * The compute limit of a transaction that closes up to `CLOSINGS_MAX` accounts; program/MEASURES.md has the figures.
 * Without a limit, the priority fee would be charged for 203,000 units.
 */
export const CLOSE_COMPUTE_UNITS = 10_000

const close =
  (tag: number) =>
  (program: Address, closings: readonly Closing[]): Instruction => ({
    programAddress: program,
    accounts: closings.flatMap(({ account, rentPayer }) => [
      writable(account),
      writable(rentPayer),
    ]),
    data: new Uint8Array([tag]),
  })

/** Returns Orders' rent to their senders, from deadline + CLOSE_DELAY on. Anyone may call this instruction. */
export const closeOrderInstruction = close(TAG.closeOrder)
/** Returns Nullifiers' rent to its payers, from `closableAt` on. Anyone may call this instruction. */
export const closeNullifierInstruction = close(TAG.closeNullifier)
