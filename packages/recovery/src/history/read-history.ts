import type { Address, Signature } from '@solana/kit'
import { isUnknownSignature } from '@sotto/protocol'
import { RecoveryError } from '../recovery-error.ts'
import type { LeafReader } from './appended-leaves.ts'
import {
  SIGNATURES_PER_PAGE,
  type Between,
  type HistoryNode,
  type HistoryNodeOptions,
  type ListedTransaction,
} from './history-node.ts'
import {
  memoryStore,
  type AppendingTransaction,
  type HistoryPage,
  type HistoryStore,
} from './history-store.ts'

export interface HistoryOptions extends HistoryNodeOptions {
  readonly store?: HistoryStore | undefined
  /** Maximum number of pages of 1,000 transactions that are listed; the default is 20,000. */
  readonly pagesMax?: number | undefined
  /** Called with the number of transactions that have been listed so far. */
  readonly onProgress?: ((transactions: number) => void) | undefined
}

const PAGES_MAX = 20_000

type Listing = readonly ListedTransaction[]

/**
 * Reads the transactions that appended leaves to a tree. Starts with the newest page, and reads older pages until
 * `isEnough` returns true. Doesn't read failed transactions, because they appended nothing.
 *
 * @throws RecoveryError HISTORY_MISSING if the node can't return a transaction that it lists, or if it lists more than
 *   `pagesMax` pages.
 */
export class HistoryReader {
  readonly #node: HistoryNode
  readonly #tree: Address
  readonly #leavesOf: LeafReader
  readonly #store: HistoryStore
  readonly #options: HistoryOptions
  #pages = 0
  #listed = 0
  /** The request for the next older page. It is sent while the transactions of the current page are being read. */
  #ahead: { readonly before: Signature; readonly listing: Promise<Listing> } | undefined

  constructor(
    node: HistoryNode,
    tree: Address,
    leavesOf: LeafReader,
    options: HistoryOptions = {},
  ) {
    this.#node = node
    this.#tree = tree
    this.#leavesOf = leavesOf
    this.#options = options
    this.#store = options.store ?? memoryStore()
  }

  async read(
    isEnough: (found: readonly AppendingTransaction[]) => boolean,
  ): Promise<AppendingTransaction[]> {
    this.#ahead = undefined
    const unjoined = await this.#readNewer()
    const kept = await this.#store.load()
    const found = [...unjoined, ...kept].flatMap(({ appending }) => appending)
    let before = kept.at(-1)?.oldest
    while (!isEnough(found)) {
      const page = await this.#readOlder(before, found)
      if (page === undefined) break
      await this.#store.add('older', [page])
      found.push(...page.appending)
      before = page.oldest
    }
    return found
  }

  /**
   * Reads the transactions that are newer than the pages of an earlier run. Reads all of them before it stores any. If
   * the new pages don't reach back to the stored pages, the function returns the new pages instead of storing them.
   * Otherwise, a later run wouldn't notice the gap.
   */
  async #readNewer(): Promise<readonly HistoryPage[]> {
    const kept = await this.#store.load()
    const until = kept[0]?.newest
    if (until === undefined) return []
    try {
      await this.#store.add('newer', await this.#readUntil(until))
      return []
    } catch (error) {
      if (!isUnknownSignature(error)) throw error
    }
    const { pages, isJoined } = await this.#readAfter(kept.flatMap(({ appending }) => appending))
    if (isJoined) await this.#store.add('newer', pages)
    return isJoined ? [] : pages
  }

  async #readUntil(until: Signature): Promise<HistoryPage[]> {
    const pages: HistoryPage[] = []
    for (;;) {
      const page = await this.#pageOf(await this.#list({ before: pages.at(-1)?.oldest, until }))
      if (page === undefined) return pages
      pages.push(page)
    }
  }

  /**
   * Reads pages that are newer than the known transactions. `isJoined` is true if the node's listing reaches back to
   * the newest known transaction, which means that there is no gap.
   */
  async #readAfter(
    known: readonly AppendingTransaction[],
  ): Promise<{ pages: HistoryPage[]; isJoined: boolean }> {
    const slot = known[0]?.slot ?? -1n
    const pages: HistoryPage[] = []
    let isJoined = false
    let oldest: ListedTransaction | undefined
    for (;;) {
      const listed = await this.#list({ before: oldest?.signature })
      const newer = without(known, listed).filter((one) => one.slot >= slot)
      const page = await this.#pageOf(newer)
      if (page !== undefined) pages.push(page)
      isJoined ||= listed.some(({ signature }) => signature === known[0]?.signature)
      oldest = listed.at(-1)
      if (oldest === undefined || oldest.slot < slot) return { pages, isJoined }
    }
  }

  /**
   * The page of transactions older than a signature. If the node doesn't know that signature, the result is the page of
   * transactions older than all known transactions.
   */
  async #readOlder(
    before: Signature | undefined,
    known: readonly AppendingTransaction[],
  ): Promise<HistoryPage | undefined> {
    try {
      const listed = await this.#list({ before })
      this.#listAhead(listed)
      return await this.#pageOf(listed)
    } catch (error) {
      if (!isUnknownSignature(error)) throw error
    }
    const slot = known.at(-1)?.slot
    let oldest: ListedTransaction | undefined
    for (;;) {
      const listed = await this.#list({ before: oldest?.signature })
      const older = without(known, listed).filter((one) => slot === undefined || one.slot <= slot)
      const page = await this.#pageOf(older)
      oldest = listed.at(-1)
      if (page !== undefined || oldest === undefined) return page
    }
  }

  async #list(between: Between): Promise<Listing> {
    const { pagesMax = PAGES_MAX, onProgress } = this.#options
    this.#pages += 1
    if (this.#pages > pagesMax) {
      const message = `the tree was named by more than ${pagesMax} pages of transactions`
      throw new RecoveryError('HISTORY_MISSING', message)
    }
    const isAhead = between.until === undefined && between.before === this.#ahead?.before
    const ahead = isAhead ? this.#ahead?.listing : undefined
    this.#ahead = undefined
    const listed = await (ahead === undefined ? this.#node.list(this.#tree, between) : ahead)
    if (listed.length > 0) onProgress?.((this.#listed += listed.length))
    return listed
  }

  #listAhead(listed: Listing): void {
    const before = listed.at(-1)?.signature
    // A page that isn't full is most likely the oldest page, so there is no next page to request.
    if (before === undefined || listed.length < SIGNATURES_PER_PAGE) return
    const listing = this.#node.list(this.#tree, { before })
    // The page may never be needed. If it is needed, the code that awaits it handles the error.
    listing.catch(() => undefined)
    this.#ahead = { before, listing }
  }

  /** Reads the transactions of a listing; undefined if the listing is empty. */
  async #pageOf(listed: Listing): Promise<HistoryPage | undefined> {
    const [first, last] = [listed[0], listed.at(-1)]
    if (first === undefined || last === undefined) return undefined
    const appending = await this.#readAll(listed.filter(({ hasFailed }) => !hasFailed))
    return { newest: first.signature, oldest: last.signature, appending }
  }

  async #readAll(landed: Listing): Promise<AppendingTransaction[]> {
    const signatures = landed.map(({ signature }) => signature)
    const leaves = await this.#node.read(signatures, this.#leavesOf)
    return landed.flatMap(({ signature, slot }, place) => {
      const appended = leaves[place] ?? []
      return appended.length === 0 ? [] : [{ signature, slot, leaves: appended }]
    })
  }
}

function without(known: readonly AppendingTransaction[], listed: Listing): Listing {
  const signatures = new Set(known.map(({ signature }) => signature))
  return listed.filter(({ signature }) => !signatures.has(signature))
}
