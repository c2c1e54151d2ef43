import type { Address, Signature, Slot } from '@solana/kit'
import type { ChainRpc } from './rpc-client.ts'

const PAGE = 1_000

export interface ListedSignature {
  readonly signature: Signature
  readonly slot: Slot
  /** Its block's time, seconds since 1970. */
  readonly unixSeconds: bigint
  /** A failed transaction changed nothing but its payer's balance. */
  readonly hasFailed: boolean
}

/**
 * Finalized transactions that named an address, oldest first: those after `until` and of no slot before
 * `slotFrom`. A node that has forgotten `until` is therefore not asked for all of its history.
 */
export async function listSignatures(
  rpc: ChainRpc,
  address: Address,
  options: {
    readonly until?: string | undefined
    readonly slotMin?: bigint
    readonly slotFrom?: bigint
  },
): Promise<ListedSignature[]> {
  const { until, slotMin, slotFrom = 0n } = options
  const found: ListedSignature[] = []
  let before: Signature | undefined
  for (;;) {
    const page = await rpc
      .getSignaturesForAddress(address, {
        commitment: 'finalized',
        limit: PAGE,
        ...(before === undefined ? {} : { before }),
        ...(until === undefined ? {} : { until: until as Signature }),
        ...(slotMin === undefined ? {} : { minContextSlot: slotMin }),
      })
      .send()
    for (const { signature, slot, err, blockTime } of page) {
      if (slot < slotFrom) return found.reverse()
      if (blockTime === null) throw new Error("the RPC node doesn't know a block's time")
      found.push({ signature, slot, unixSeconds: blockTime, hasFailed: err !== null })
    }
    before = page.at(-1)?.signature
    if (page.length < PAGE) return found.reverse()
  }
}
