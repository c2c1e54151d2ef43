import { unixSeconds as timeOf, type UnixSeconds } from '@sotto/protocol'
import type { Address, Signature, Slot } from '@solana/kit'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

export const SIGNATURES_PAGE = 1_000

export interface ListedSignature {
  readonly signature: Signature
  readonly slot: Slot
  /** The time of the transaction's block, seconds since 1970. Undefined if the node omits it. */
  readonly unixSeconds: UnixSeconds | undefined
  /** True for a failed transaction. Such a transaction changed only its payer's balance. */
  readonly hasFailed: boolean
}

interface PageOptions {
  /** Lists only signatures that are older than this signature. */
  readonly before?: Signature | undefined
  readonly slotMin?: bigint | undefined
}

/**
 * Lists a page of the finalized transactions that named an address, newest first. A page with fewer than
 * `SIGNATURES_PAGE` transactions is the last page.
 */
export async function listPage(
  rpc: ChainRpc,
  address: Address,
  { before, slotMin }: PageOptions,
): Promise<ListedSignature[]> {
  const page = await rpc
    .getSignaturesForAddress(address, {
      commitment: 'finalized',
      limit: SIGNATURES_PAGE,
      ...(before === undefined ? {} : { before }),
      ...(slotMin === undefined ? {} : { minContextSlot: slotMin }),
    })
    .send()
  return page.map(({ signature, slot, err, blockTime }) => ({
    ...{
      signature,
      slot,
      unixSeconds: blockTime === null ? undefined : timeOf(blockTime),
      hasFailed: err !== null,
    },
  }))
}

/** Returns the time of a listed transaction's block. @throws Error if the node doesn't know the time. */
export async function secondsOf(
  rpc: ChainRpc,
  { slot, unixSeconds }: Pick<ListedSignature, 'slot' | 'unixSeconds'>,
): Promise<UnixSeconds> {
  if (unixSeconds !== undefined) return unixSeconds
  const known = await rpc.getBlockTime(slot).send()
  if (known === null) throw new Error("the RPC node doesn't know a block's time")
  return timeOf(known)
}

/**
 * Lists the oldest successful transactions that named an address, oldest first, at most `count`. Anyone can name an
 * address in any number of transactions. So if the transactions fill `pagesMax` pages, the search ends with an empty
 * list. Transactions for which `isWanted` is false aren't kept in memory.
 */
export async function listOldest(
  rpc: ChainRpc,
  address: Address,
  { count, pagesMax }: { readonly count: number; readonly pagesMax: number },
  isWanted: (listed: ListedSignature) => boolean = () => true,
): Promise<ListedSignature[]> {
  let before: Signature | undefined
  const landed: ListedSignature[] = []
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const page = await listPage(rpc, address, { before })
    for (const one of page) if (!one.hasFailed && isWanted(one)) landed.push(one)
    if (page.length < SIGNATURES_PAGE) return landed.slice(-count).reverse()
    before = page.at(-1)?.signature
  }
  return []
}
