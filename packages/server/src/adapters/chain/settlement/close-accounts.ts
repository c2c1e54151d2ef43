import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import {
  CLOSE_COMPUTE_UNITS,
  closeNullifierInstruction,
  closeOrderInstruction,
  type Address,
} from '@sotto/protocol'
import type { Closable } from '../../../ports/settlement-chain.ts'
import type { Signer } from '../../../ports/signer.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { sendTransaction, simulateTransaction } from './send-transaction.ts'
import { signTransaction } from './sign-transaction.ts'

/** Sends one transaction that closes up to `CLOSINGS_MAX` accounts. The price is in micro-lamports per compute unit. */
export async function closeAccounts(
  rpc: ChainRpc,
  program: Address,
  relayer: Signer,
  closable: readonly Closable[],
  unitPrice: bigint,
): Promise<void> {
  const of = (kind: Closable['kind']) => closable.filter((one) => one.kind === kind)
  const instructions = [
    ...(of('order').length > 0 ? [closeOrderInstruction(program, of('order'))] : []),
    ...(of('nullifier').length > 0 ? [closeNullifierInstruction(program, of('nullifier'))] : []),
  ]
  if (instructions.length === 0) return
  const limit = getSetComputeUnitLimitInstruction({ units: CLOSE_COMPUTE_UNITS })
  const price = getSetComputeUnitPriceInstruction({ microLamports: unitPrice })
  const { wire } = await signTransaction(rpc, [relayer], [limit, price, ...instructions])
  if ((await simulateTransaction(rpc, wire)) !== undefined) {
    throw new Error('the accounts cannot be closed now')
  }
  await sendTransaction(rpc, wire)
}
