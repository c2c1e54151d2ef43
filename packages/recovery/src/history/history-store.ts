import type { Signature } from '@solana/kit'

export interface AppendingTransaction {
  readonly signature: Signature
  readonly slot: bigint
  readonly leaves: readonly bigint[]
}

/** The leaves that the transactions of one listed page appended, newest first. */
export interface HistoryPage {
  readonly newest: Signature
  readonly oldest: Signature
  readonly appending: readonly AppendingTransaction[]
}

/** Keeps pages between runs. The stored pages are contiguous, newest first. */
export interface HistoryStore {
  readonly load: () => Promise<readonly HistoryPage[]>
  /** Adds pages: `newer` before the stored pages, `older` after them. */
  readonly add: (side: 'newer' | 'older', pages: readonly HistoryPage[]) => Promise<void>
  /** Deletes all pages. Called if the stored pages don't lead to the tree's root, but a new reading does. */
  readonly forget: () => Promise<void>
}

/** A store that keeps its pages only in memory. */
export function memoryStore(): HistoryStore {
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
