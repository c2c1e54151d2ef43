import type { Signature } from '@solana/kit'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/**
 * True if a block contains the transaction, even if the transaction failed. A node that keeps no history knows only the
 * transactions of the last minutes.
 */
export async function isInBlock(rpc: ChainRpc, signature: string): Promise<boolean> {
  const options = { searchTransactionHistory: true }
  const { value } = await rpc.getSignatureStatuses([signature as Signature], options).send()
  return (value[0] ?? undefined) !== undefined
}
