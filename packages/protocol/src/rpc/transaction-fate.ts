import type {
  Blockhash,
  GetEpochInfoApi,
  GetSignatureStatusesApi,
  IsBlockhashValidApi,
  Rpc,
  Signature,
} from '@solana/kit'

/** A verdict on a transaction: it can never land, it may still land, or a block contains it. */
export type Fate = 'dead' | 'open' | 'in_block'

/** A signed transaction, and the blocks in which it can land. */
export interface MortalTransaction {
  readonly signature: string
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
}

/**
 * Number of nodes that must report a transaction dead. If only one node is asked, it must report the transaction dead
 * this many times in a row.
 */
export const DEATHS = 2

/**
 * One node's verdict on a transaction, based only on that node's answers. Combining the answers of two nodes would be
 * unsafe: one node could report a new height, and the other node an outdated status. The transaction is dead if three
 * conditions are met. First, the height of a finalized block is past the transaction's last valid height. Second, at
 * that block's slot or a later slot, the node has no status of the transaction, even in its history. Third, the
 * transaction's blockhash is no longer valid at that block's slot or a later slot.
 */
export async function fateOf(
  rpc: Rpc<GetEpochInfoApi & GetSignatureStatusesApi & IsBlockhashValidApi>,
  { signature, blockhash, lastValidBlockHeight }: MortalTransaction,
  abortSignal?: AbortSignal,
): Promise<Fate> {
  const sending = abortSignal && { abortSignal }
  // The height is read first. If the height is past the last valid height, a status that is read at this block's slot
  // or a later slot is final.
  const { absoluteSlot, blockHeight } = await rpc
    .getEpochInfo({ commitment: 'finalized' })
    .send(sending)
  const options = { searchTransactionHistory: true }
  const { context, value } = await rpc
    .getSignatureStatuses([signature as Signature], options)
    .send(sending)
  if (value[0]) return 'in_block'
  if (blockHeight <= lastValidBlockHeight || context.slot < absoluteSlot) return 'open'
  const validity = await rpc
    .isBlockhashValid(blockhash as Blockhash, {
      ...{ commitment: 'finalized', minContextSlot: absoluteSlot },
    })
    .send(sending)
  return validity.value || validity.context.slot < absoluteSlot ? 'open' : 'dead'
}
