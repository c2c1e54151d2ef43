import { LEAVES_PER_PAGE, type LeavesResponse } from '@sotto/contract'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWholeFile } from '../../adapters/files/whole-file.ts'
import { sqlLeafPages } from '../../adapters/store/leaf-pages.ts'
import type { Sql } from '../../adapters/store/sql.ts'
import { hexOf } from '../../domain/hex.ts'
import { OperatorError } from '../../start/operator-error.ts'
import type { OperatorContext } from '../context.ts'

/**
 * `leaves publish`: writes the leaves of the database into a folder that any web server may serve, in the form of `GET
 * /leaves`. Each file except the last has 1,024 leaves. A file's name is the index of its first leaf. The command can
 * be repeated, and complete files then stay unchanged. Several runs may write at the same time. @throws OperatorError
 * if a leaf is missing. The files then have the leaves before the missing leaf.
 */
export async function publishLeaves(
  { database, out }: Pick<OperatorContext, 'database' | 'out'>,
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const pages = sqlLeafPages(database)
  let from = 0
  let written = 0
  for (;;) {
    const leaves = (await pages.read(from, LEAVES_PER_PAGE)).map(hexOf)
    if (leaves.length > 0 && (await writePage(folder, from, leaves))) written += 1
    from += leaves.length
    if (leaves.length < LEAVES_PER_PAGE) break
  }
  await assertLast(database, from)
  out({ folder, leaves: from, written })
}

/** @throws OperatorError if the database has no leaf with the index `end`, but has later leaves. */
async function assertLast(sql: Sql, end: number): Promise<void> {
  const [row] = await sql.query<{ later: number | null }>(
    'SELECT MIN(leaf_index)::integer AS later FROM leaves WHERE leaf_index >= $1',
    [end],
  )
  // A worker may have stored the leaf `end` since the last page was read.
  const later = row?.later ?? end
  if (later !== end) throw lacksLeaf(end)
}

/** The error of a command that needs all leaves, if the leaf with this index is missing. */
export const lacksLeaf = (index: number): OperatorError =>
  new OperatorError(
    `the database lacks leaf ${index}: run a worker until it has followed the chain, then run the command again`,
  )

/**
 * Writes a file. Readers get either the old file or the complete new file. Returns false if the file already has these
 * leaves. @throws OperatorError if the file has other leaves.
 */
async function writePage(folder: string, from: number, leaves: string[]): Promise<boolean> {
  const path = join(folder, `${from}.json`)
  const page: LeavesResponse = { success: true, from, leaves, nextIndex: from + leaves.length }
  const text = `${JSON.stringify(page)}\n`
  const before = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  })
  if (before === text) return false
  if (before !== undefined && isWhole(before) && !isBeginning(before, leaves)) {
    throw new OperatorError(
      `${path} has leaves that the database doesn't have: the file belongs to another pool, or is newer than the database`,
    )
  }
  await writeWholeFile(path, 'replaced', (file) => file.writeFile(text))
  return true
}

/** False for a file that is empty or truncated, for example after a power cut. Such a file is written again. */
function isWhole(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** True if these leaves begin with the file's leaves: then the page has grown since the file was written. */
function isBeginning(text: string, leaves: readonly string[]): boolean {
  const { leaves: before } = (JSON.parse(text) ?? {}) as { readonly leaves?: unknown }
  return Array.isArray(before) && before.every((leaf, place) => leaf === leaves[place])
}
