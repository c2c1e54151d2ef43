import type { Address, Instruction } from '@solana/kit'
import { TAG, writable } from './meta.ts'

/** An account to close, and the wallet that gets its rent. */
export interface Closing {
  readonly account: Address
  readonly rentPayer: Address
}

/**
 * Maximum number of accounts that one transaction closes. Ten accounts with ten different rent payers fill two thirds
 * of a transaction's bytes.
 */
export const CLOSINGS_MAX = 10

/**
 * The compute limit of a transaction that closes up to `CLOSINGS_MAX` accounts; program/MEASURES.md has the figures.
 * Without this limit, the sender would pay the priority fee for the default limit of 203,000 units.
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

/**
 * Closes Orders and returns their rent to their senders. An Order can be closed `CLOSE_DELAY_SECONDS` after its
 * deadline. Anyone may call this instruction.
 */
export const closeOrderInstruction = close(TAG.closeOrder)
/**
 * Closes Nullifiers and returns their rent to the wallets that paid it. A Nullifier can be closed at its time
 * `closableAt` or later. Anyone may call this instruction.
 */
export const closeNullifierInstruction = close(TAG.closeNullifier)
