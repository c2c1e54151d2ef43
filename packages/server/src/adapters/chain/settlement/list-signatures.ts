import {
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND as UNKNOWN_SIGNATURE,
  type Address,
  type Signature,
  type Slot,
} from '@solana/kit'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

const PAGE = 1_000

export interface ListedSignature {
  readonly signature: Signature
  readonly slot: Slot
  /** Its block's time, seconds since 1970. */
  readonly unixSeconds: bigint
  /** A failed transaction changed only its payer's balance. */
  readonly hasFailed: boolean
}

interface Range {
  readonly until?: string | undefined
  readonly slotMin?: bigint
  readonly slotFrom?: bigint
}

/**
 * Finalized transactions that named an address, oldest first: those after `until` and of no slot before
 * `slotFrom`. If every node has forgotten `until`, everything since `slotFrom` is listed: callers that give both
 * must recognise the transactions that they know in that slot. Nodes before Agave 4.0 list it themselves; later ones
 * refuse.
 *
 * @throws SolanaError also if the node that is asked for the next page doesn't know the last page's signature.
 */
export async function listSignatures(
  rpc: ChainRpc,
  address: Address,
  range: Range,
): Promise<ListedSignature[]> {
  const { until, ...rest } = range
  if (until === undefined) return listRange(rpc, address, range)
  try {
    return await listRange(rpc, address, range)
  } catch (error) {
    if (!isSolanaError(error, UNKNOWN_SIGNATURE)) throw error
    return listRange(rpc, address, rest)
  }
}

async function listRange(
  rpc: ChainRpc,
  address: Address,
  options: Range,
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
