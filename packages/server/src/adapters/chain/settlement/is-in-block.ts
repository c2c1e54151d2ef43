import type { Signature } from '@solana/kit'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** True if a block of the last minutes has a transaction, even if it failed. */
export async function isInBlock(rpc: ChainRpc, signature: string): Promise<boolean> {
  const { value } = await rpc.getSignatureStatuses([signature as Signature]).send()
  return (value[0] ?? undefined) !== undefined
}
