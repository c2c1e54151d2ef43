import { readFile, stat } from 'node:fs/promises'
import type { Screener } from '../../ports/screener.ts'

async function load(path: string): Promise<Set<string>> {
  const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim())
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#')))
}

/**
 * Refuses the addresses in a file, one a line, `#` starts a comment; read again when it changes.
 *
 * @throws Error where the file can't be read: a list that is gone must not let everybody pass.
 */
export async function openDenyList(path: string): Promise<Screener> {
  let version = (await stat(path)).mtimeMs
  let refused = await load(path)
  return {
    isRefused: async (address) => {
      const { mtimeMs } = await stat(path)
      if (mtimeMs !== version) {
        refused = await load(path)
        version = mtimeMs
      }
      return refused.has(address)
    },
  }
}

/** Screening of a service that was given no list. */
export const noScreening: Screener = { isRefused: async () => false }
