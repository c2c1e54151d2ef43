import { LEAVES_PER_PAGE, type LeavesResponse } from '@sotto/contract'
import { hexOf } from '../../domain/hex.ts'
import type { LeafPages } from '../../ports/leaf-pages.ts'

/**
 * Returns a page of the tree's leaves, starting at an index. The last page ends with the last leaf that the service has
 * recorded.
 */
export async function readLeaves(
  pages: Pick<LeafPages, 'read'>,
  from: number,
): Promise<LeavesResponse> {
  const found = await pages.read(from, LEAVES_PER_PAGE)
  return { success: true, from, leaves: found.map(hexOf), nextIndex: from + found.length }
}
