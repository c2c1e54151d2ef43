import { MAX_SUPPORTED_TRANSACTION_VERSION, type Signature } from '@solana/kit'
import type { TransactionRecord } from '@sotto/protocol'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/**
 * Reads a transaction. @throws Error if the node doesn't have it, because a missing transaction must not count as one
 * without instructions.
 */
export async function readTransaction(
  rpc: ChainRpc,
  signature: Signature,
): Promise<TransactionRecord> {
  const found = await rpc
    .getTransaction(signature, {
      commitment: 'finalized',
      encoding: 'json',
      // Anyone may name the tree in a transaction of a version that our deposits don't use.
      maxSupportedTransactionVersion: MAX_SUPPORTED_TRANSACTION_VERSION,
    })
    .send()
  if (found === null) throw new Error('the RPC node lists a transaction that it cannot show')
  return found
}
