import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/** One file of a built page, loaded into memory. */
export interface PageFile {
  readonly type: string
  readonly bytes: Buffer
  /** The `etag`, which changes whenever the bytes change. */
  readonly tag: string
}

export type PageFiles = ReadonlyMap<string, PageFile>

/**
 * Reads the files of a built page, by their names. The files are read only once, so that requests never read the disk.
 * Returns undefined if the folder doesn't exist.
 */
export function readPageFiles(folder: string): PageFiles | undefined {
  const entries = entriesOf(folder)
  if (entries === undefined) return undefined
  const files = new Map<string, PageFile>()
  for (const name of entries) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    const bytes = readFileSync(join(folder, name))
    const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
    files.set(name, { type, bytes, tag })
  }
  return files
}

function entriesOf(folder: string): string[] | undefined {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
