import { DEATHS, fateOf, type Fate } from '@sotto/protocol'
import { getTransactionDecoder } from '@solana/kit'
import { fromEach } from '../../adapters/chain/settlement/witnesses.ts'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import type { SignedSettlement } from '../../ports/settlement-chain.ts'
import { lifetimeOf } from '../durable-nonce.ts'

/** One node's verdict on a signed transaction: see `fateOf`. */
export const fateByNode = (rpc: ChainRpc, signed: SignedSettlement): Promise<Fate> =>
  fateOf(rpc, { ...signed, blockhash: lifetimeOf(getTransactionDecoder().decode(signed.wire)) })

/**
 * The verdict of several nodes. It is `dead` only if at least two nodes say so and no node has the transaction in a
 * block.
 */
export async function fateByNodes(
  witnesses: readonly ChainRpc[],
  signed: SignedSettlement,
): Promise<Fate> {
  const said = await fromEach(witnesses, (one) => fateByNode(one, signed))
  if (said.includes('in_block')) return 'in_block'
  return said.filter((one) => one === 'dead').length >= DEATHS ? 'dead' : 'open'
}
