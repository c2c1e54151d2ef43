import { LEAVES_PER_PAGE, type LeavesResponse } from '@sotto/contract'
import { RECENT } from '@sotto/protocol'
import { hexOf } from '../../domain/hex.ts'
import type { LeafPages } from '../../ports/leaf-pages.ts'

export interface LeafPage {
  readonly response: LeavesResponse
  /** True if the page is full, and the recorded leaves after it are so many that the service never replaces it. */
  readonly isPermanent: boolean
}

/**
 * Returns a page of the tree's leaves, starting at an index. The last page ends with the last leaf that the service has
 * recorded. A node may have invented the newest leaves. The service then replaces them, but only as many as the chain's
 * ring of recent roots can show to be wrong.
 */
export async function readLeaves(pages: Pick<LeafPages, 'read'>, from: number): Promise<LeafPage> {
  // This is read first, because leaves may be replaced between the two reads.
  const newer = await pages.read(from + LEAVES_PER_PAGE + RECENT - 1, 1)
  const found = await pages.read(from, LEAVES_PER_PAGE)
  return {
    response: { success: true, from, leaves: found.map(hexOf), nextIndex: from + found.length },
    isPermanent: newer.length > 0 && found.length === LEAVES_PER_PAGE,
  }
}
