import type { Poseidon, SettleInputs, Ticket } from '@sotto/protocol'
import type { TransactionSigner } from '@solana/kit'
import type { LocateOptions } from './locate-note.ts'
import type { PriorityLimits } from './priority-fee.ts'
import type { RecoveryRpc } from './read-accounts.ts'

/** Proves a settlement; returns 256 bytes in the program's format. */
export type Prove = (inputs: SettleInputs) => Promise<Uint8Array>

/** The options needed to find the note of a ticket. */
export interface TicketOnChain extends LocateOptions {
  readonly rpc: RecoveryRpc
  readonly poseidon: Poseidon
  readonly ticket: Ticket
}

/** The options needed to settle the note. */
export interface TicketUse extends TicketOnChain, PriorityLimits {
  readonly prove: Prove
  /** Any wallet. It pays the fee and the nullifier's rent, and later gets the rent back. */
  readonly payer: TransactionSigner
}
