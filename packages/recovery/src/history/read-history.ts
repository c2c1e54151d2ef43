import type { Address, Signature } from '@solana/kit'
import { RecoveryError } from '../recovery-error.ts'
import type { LeafReader } from './appended-leaves.ts'
import type { Between, HistoryNode, HistoryNodeOptions, ListedTransaction } from './history-node.ts'

/** A transaction that appended leaves. */
export interface AppendingTransaction {
  readonly signature: Signature
  readonly slot: bigint
  readonly leaves: readonly bigint[]
}

/** What a page of the listing appended; newest first, as nodes list. */
export interface HistoryPage {
  readonly newest: Signature
  readonly oldest: Signature
  readonly appending: readonly AppendingTransaction[]
}

/** Keeps pages between two runs; they follow one another without a gap, newest first. */
export interface HistoryStore {
  readonly load: () => Promise<readonly HistoryPage[]>
  /** Adds pages before or after those that it has. */
  readonly add: (side: 'newer' | 'older', pages: readonly HistoryPage[]) => Promise<void>
  /** Drops all pages, which turned out to be of no use. */
  readonly forget: () => Promise<void>
}

export interface HistoryOptions extends HistoryNodeOptions {
  readonly store?: HistoryStore | undefined
  /** Pages of 1,000 transactions that are read at most. */
  readonly pagesMax?: number | undefined
  /** Called with the number of transactions that were listed so far. */
  readonly onProgress?: ((transactions: number) => void) | undefined
}

const PAGES_MAX = 20_000

/** Forgets its pages with the process. */
function memoryStore(): HistoryStore {
  let kept: readonly HistoryPage[] = []
  return {
    load: () => Promise.resolve(kept),
    add: (side, pages) => {
      kept = side === 'newer' ? [...pages, ...kept] : [...kept, ...pages]
      return Promise.resolve()
    },
    forget: () => {
      kept = []
      return Promise.resolve()
    },
  }
}

/**
 * Transactions that appended leaves to a tree, newest first, from its newest back until `isEnough`, which is
 * asked after each page. Failed transactions are skipped unread.
 *
 * @throws RecoveryError HISTORY_MISSING if the node lacks what it lists, or lists too much.
 */
export class HistoryReader {
  readonly #node: HistoryNode
  readonly #tree: Address
  readonly #leavesOf: LeafReader
  readonly #store: HistoryStore
  readonly #options: HistoryOptions
  #pages = 0
  #listed = 0

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
    await this.#readNewer()
    const kept = await this.#store.load()
    const found = kept.flatMap(({ appending }) => appending)
    let before = kept.at(-1)?.oldest
    while (!isEnough(found)) {
      const page = await this.#readPage({ before })
      if (page === undefined) break
      await this.#store.add('older', [page])
      found.push(...page.appending)
      before = page.oldest
    }
    return found
  }

  /** Drops what it has read. */
  forget(): Promise<void> {
    return this.#store.forget()
  }

  /** Reads what came after the pages of an earlier run; all of it before any of it is kept. */
  async #readNewer(): Promise<void> {
    const until = (await this.#store.load())[0]?.newest
    if (until === undefined) return
    const newer: HistoryPage[] = []
    for (;;) {
      const page = await this.#readPage({ before: newer.at(-1)?.oldest, until })
      if (page === undefined) break
      newer.push(page)
    }
    await this.#store.add('newer', newer)
  }

  async #readPage(between: Between): Promise<HistoryPage | undefined> {
    const { pagesMax = PAGES_MAX, onProgress } = this.#options
    this.#pages += 1
    if (this.#pages > pagesMax) {
      const message = `the tree was named by more than ${pagesMax} pages of transactions`
      throw new RecoveryError('HISTORY_MISSING', message)
    }
    const listed = await this.#node.list(this.#tree, between)
    const [first, last] = [listed[0], listed.at(-1)]
    if (first === undefined || last === undefined) return undefined
    const appending = await this.#readAll(listed.filter(({ hasFailed }) => !hasFailed))
    onProgress?.((this.#listed += listed.length))
    return { newest: first.signature, oldest: last.signature, appending }
  }

  async #readAll(landed: readonly ListedTransaction[]): Promise<AppendingTransaction[]> {
    const records = await this.#node.read(landed.map(({ signature }) => signature))
    const appending: AppendingTransaction[] = []
    for (const [place, { signature, slot }] of landed.entries()) {
      const record = records[place]
      const leaves = record === undefined ? [] : await this.#leavesOf(record)
      if (leaves.length > 0) appending.push({ signature, slot, leaves })
    }
    return appending
  }
}
