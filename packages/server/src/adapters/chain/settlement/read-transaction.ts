import { MAX_SUPPORTED_TRANSACTION_VERSION, type Signature } from '@solana/kit'
import type { TransactionRecord } from '@sotto/protocol'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/**
 * Reads a transaction.
 *
 * @throws Error if the node doesn't have the transaction. A missing transaction must not count as an empty transaction.
 */
export async function readTransaction(
  rpc: ChainRpc,
  signature: Signature,
): Promise<TransactionRecord> {
  const found = await rpc
    .getTransaction(signature, {
      commitment: 'finalized',
      encoding: 'json',
      // The service's own deposits use only one version. But anyone can name the tree in a transaction of any version.
      maxSupportedTransactionVersion: MAX_SUPPORTED_TRANSACTION_VERSION,
    })
    .send()
  if (found === null) throw new Error('the RPC node lists a transaction that it cannot show')
  return found
}
