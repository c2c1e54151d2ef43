import type { Poseidon, SettleInputs, Ticket } from '@sotto/protocol'
import type { TransactionSigner } from '@solana/kit'
import type { AcceptedPrograms } from './accepted-program.ts'
import type { LocateOptions } from './locate-note.ts'
import type { PriorityLimits } from './priority-fee.ts'
import type { RecoveryRpc } from './read-accounts.ts'

/** Proves a settlement, and returns the proof as 256 bytes in the program's format. */
export type Prove = (inputs: SettleInputs) => Promise<Uint8Array>

export interface TicketOnChain extends LocateOptions {
  readonly rpc: RecoveryRpc
  readonly poseidon: Poseidon
  readonly ticket: Ticket
}

export interface TicketUse extends TicketOnChain, PriorityLimits, AcceptedPrograms {
  readonly prove: Prove
  /**
   * Any wallet. It pays the fee, the rent of the Nullifier account, and the rent of the payee's token account if that
   * account doesn't exist yet. Only the Nullifier's rent returns to this wallet, when the Nullifier is closed.
   */
  readonly payer: TransactionSigner
}
