import type { Address } from '@sotto/protocol'
import type { ChainFollow } from '../../../ports/settlement-chain.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { findDeposit } from './find-settlement.ts'
import { readDepositIndexes } from './read-deposit-indexes.ts'
import { fromEach, witnessedIndexes } from './witnesses.ts'

/** The reads of deposits. If the first node doesn't show a deposit, all configured nodes are asked for it. */
export function depositReads(
  rpc: ChainRpc,
  witnesses: readonly ChainRpc[],
  program: Address,
): Pick<ChainFollow, 'readDepositIndexes' | 'findDeposit'> {
  const hasWitnesses = witnesses.length > 1
  return {
    readDepositIndexes: async (orderIds, slotMin, isOwn) => {
      const ask = (one: ChainRpc, some: readonly Uint8Array[]) =>
        readDepositIndexes(one, program, some, slotMin)
      const indexes = await ask(rpc, orderIds)
      return hasWitnesses ? witnessedIndexes(witnesses, orderIds, indexes, ask, isOwn) : indexes
    },
    findDeposit: async (orderId) => {
      const found = await findDeposit(rpc, program, orderId)
      if (found !== undefined || !hasWitnesses) return found
      const others = await fromEach(witnesses, (one) => findDeposit(one, program, orderId))
      return others.find((one) => one !== undefined)
    },
  }
}
