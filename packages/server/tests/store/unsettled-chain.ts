import type { ChainPay } from '../../src/ports/settlement-chain.ts'

/** A chain on which no note has been settled. */
export const unsettledChain: Pick<ChainPay, 'readNullifiers'> = {
  readNullifiers: async (nullifiers, slot) => ({ slot, settled: nullifiers.map(() => undefined) }),
}
