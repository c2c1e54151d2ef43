import type { Base64EncodedWireTransaction } from '@solana/kit'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

const base64 = (wire: Uint8Array) =>
  Buffer.from(wire).toString('base64') as Base64EncodedWireTransaction

/**
 * Sends a transaction to the cluster without simulation: it was simulated before it was journalled. The node forwards
 * it once; the caller repeats it.
 */
export async function sendTransaction(rpc: ChainRpc, wire: Uint8Array): Promise<void> {
  await rpc
    .sendTransaction(base64(wire), { encoding: 'base64', skipPreflight: true, maxRetries: 0n })
    .send()
}

/** Errors of a node that isn't up to date; they don't concern the transaction. */
const NOT_THE_TRANSACTIONS_FAULT = ['BlockhashNotFound', 'ClusterMaintenance']

/** Why a transaction would fail now; undefined if it would succeed. */
export async function simulateTransaction(
  rpc: ChainRpc,
  wire: Uint8Array,
): Promise<{ readonly reason: unknown } | undefined> {
  const { value } = await rpc
    .simulateTransaction(base64(wire), {
      encoding: 'base64',
      commitment: 'confirmed',
      sigVerify: false,
    })
    .send()
  if (value.err === null) return undefined
  if (NOT_THE_TRANSACTIONS_FAULT.some((name) => name === value.err)) {
    throw new Error('the RPC node is not up to date')
  }
  return { reason: value.err }
}
