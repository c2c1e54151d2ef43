import { PROGRAM_SHA256, unacceptedProgram, type Address } from '@sotto/protocol'
import { readProgramFacts } from './program-facts.ts'
import type { RecoveryRpc } from './read-accounts.ts'
import { RecoveryError } from './recovery-error.ts'

/** The programs that may get the payer's signature. */
export interface AcceptedPrograms {
  /**
   * SHA-256 of the code of each program that you accept, as hex. The default is `PROGRAM_SHA256`, the program of this
   * release. A settlement for any other program is refused, because the ticket names the program, and a program that
   * gets the payer's signature could take all lamports of the payer.
   */
  readonly acceptedPrograms?: readonly string[] | undefined
}

/**
 * Checks the code of the program that a ticket names. A development key isn't refused: this key endangers the money in
 * the vaults, but not the payer, and recovery takes money out of the vaults.
 *
 * @throws RecoveryError PROGRAM_UNKNOWN if the code isn't accepted; WRONG_CLUSTER if the endpoint shows no program.
 */
export async function assertAcceptedProgram(
  rpc: RecoveryRpc,
  program: Address,
  { acceptedPrograms = [PROGRAM_SHA256] }: AcceptedPrograms,
): Promise<void> {
  const { sha256 } = await readProgramFacts(rpc, program)
  const problem = unacceptedProgram(sha256, acceptedPrograms)
  if (problem !== undefined) throw new RecoveryError('PROGRAM_UNKNOWN', problem)
}
