import {
  isKeyless,
  isOfTokenProgram,
  poolAddress,
  vaultAddress,
  type Address,
} from '@sotto/protocol'
import type { RecoveryRpc } from './read-accounts.ts'
import { readAtSlot } from './read-at-slot.ts'
import { RecoveryError } from './recovery-error.ts'

/** The pool, the asset and the payee of a payment. */
interface Payee {
  readonly program: Address
  readonly mint: Address
  readonly payee: Address
}

/**
 * Refuses a payee that can't be a wallet. Tokens for a token account, a mint or a program's account would go to an
 * account for which no key exists, and nothing could return them.
 *
 * @throws RecoveryError PAYEE_UNUSABLE.
 */
export async function assertUsablePayee(rpc: RecoveryRpc, paid: Payee): Promise<void> {
  const { program, mint, payee } = paid
  // These addresses are refused even if a node hides their accounts.
  const ofPool = [program, mint, await poolAddress(program), await vaultAddress(program, mint)]
  const { account, isExecutable } = await readAtSlot(rpc, payee)
  const shown = account === undefined ? undefined : { owner: account.owner, isExecutable }
  const isUnusable = isKeyless(payee, shown, program) || isOfTokenProgram(account)
  if (!ofPool.includes(payee) && !isUnusable) return
  const message =
    `the payee ${payee} is not a wallet: it belongs to a program, so no one could use the money. ` +
    "Give the address of the payee's wallet, not of a token account or a mint"
  throw new RecoveryError('PAYEE_UNUSABLE', message)
}
