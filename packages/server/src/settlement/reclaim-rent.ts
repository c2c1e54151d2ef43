import type { ChainUpkeep } from '../ports/chain-upkeep.ts'
import type { Random } from '../ports/random.ts'
import type { Signer } from '../ports/signer.ts'

/** Accounts closed by one transaction: their addresses fill it to about two thirds. */
const BATCH = 10

/**
 * Gives rent back: Orders' to their senders, Nullifiers' to our relayers. Both may be closed by
 * anyone from a time that was fixed when they were made, so closing says nothing.
 */
export async function reclaimRent(d: {
  readonly chain: ChainUpkeep
  readonly relayers: readonly Signer[]
  readonly random: Random
}): Promise<void> {
  const closable = await d.chain.listClosable(d.relayers.map(({ address }) => address))
  for (const kind of ['order', 'nullifier'] as const) {
    const ofKind = closable.filter((one) => one.kind === kind)
    for (let start = 0; start < ofKind.length; start += BATCH) {
      const relayer = d.relayers[d.random.below(d.relayers.length)]
      if (relayer === undefined) return
      await d.chain.close(relayer, ofKind.slice(start, start + BATCH))
    }
  }
}
