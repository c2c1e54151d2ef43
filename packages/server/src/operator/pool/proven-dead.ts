import { getTransactionDecoder, type Blockhash, type Signature } from '@solana/kit'
import { fromEach } from '../../adapters/chain/settlement/witnesses.ts'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import type { SignedSettlement } from '../../ports/settlement-chain.ts'
import { lifetimeOf } from '../durable-nonce.ts'

/** A verdict on a transaction: it can never land, it may still land, or a block has it. */
export type Fate = 'dead' | 'open' | 'in_block'

/**
 * Number of nodes that must report a transaction dead. If there is only one node, it must report this that many times
 * in a row.
 */
export const DEATHS = 2

/**
 * One node's verdict on a transaction, based only on that node's answers. Combining two nodes would be unsafe: one
 * could report a late height, and the other an old list of signatures. The transaction is dead if three conditions are
 * met. A finalized slot is past the transaction's last valid height. The transaction's blockhash isn't valid at that
 * slot or a later one. The node then knows no status of the transaction, not even in its history.
 */
export async function fateOf(rpc: ChainRpc, signed: SignedSettlement): Promise<Fate> {
  // The height is read first. If the height is past the last valid height, a status read at that slot or later is
  // final.
  const { absoluteSlot, blockHeight } = await rpc.getEpochInfo({ commitment: 'finalized' }).send()
  const options = { searchTransactionHistory: true }
  const { context, value } = await rpc
    .getSignatureStatuses([signed.signature as Signature], options)
    .send()
  if (value[0]) return 'in_block'
  if (blockHeight <= signed.lastValidBlockHeight || context.slot < absoluteSlot) return 'open'
  const validity = await rpc
    .isBlockhashValid(blockhashOf(signed.wire), {
      ...{ commitment: 'finalized', minContextSlot: absoluteSlot },
    })
    .send()
  return validity.value || validity.context.slot < absoluteSlot ? 'open' : 'dead'
}

/**
 * The verdict of several nodes. It is `dead` only if at least two nodes say so and no node has the transaction in a
 * block.
 */
export async function fateByNodes(
  witnesses: readonly ChainRpc[],
  signed: SignedSettlement,
): Promise<Fate> {
  const said = await fromEach(witnesses, (one) => fateOf(one, signed))
  if (said.includes('in_block')) return 'in_block'
  return said.filter((one) => one === 'dead').length >= DEATHS ? 'dead' : 'open'
}

const blockhashOf = (wire: Uint8Array): Blockhash =>
  lifetimeOf(getTransactionDecoder().decode(wire)) as Blockhash
