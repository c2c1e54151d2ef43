import type { Address } from '@sotto/protocol'
import { RecoveryError } from '@sotto/recovery'

/**
 * Checks that a ticket belongs to the caller's program. Under another program's address, all accounts of the ticket's
 * note are missing. The note then looks unpaid and unspent.
 * @throws RecoveryError PROGRAM_OTHER.
 */
export function assertProgram(found: Address, expected: Address): void {
  if (found === expected) return
  const message =
    'the ticket belongs to another program than the one that the settings name: correct programId, or ' +
    'SOTTO_PROGRAM_ID or --program of the command'
  throw new RecoveryError('PROGRAM_OTHER', message)
}
