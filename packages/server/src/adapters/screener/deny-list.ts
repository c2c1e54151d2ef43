import { isAddress } from '@sotto/protocol'
import { readFile, stat } from 'node:fs/promises'
import type { Screener } from '../../ports/screener.ts'

/** Thrown if the list can't be used. The message names the file and a line, never an address. */
export class DenyListError extends Error {
  override readonly name = 'DenyListError'
}

async function load(path: string): Promise<Set<string>> {
  const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim())
  const refused = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (line === '' || line.startsWith('#')) continue
    // The last line may be truncated if the file is still being written.
    if (!isAddress(line)) {
      throw new DenyListError(
        `line ${index + 1} of the deny list ${path} is not an address; correct it`,
      )
    }
    refused.add(line)
  }
  return refused
}

/** Returns the modification time, size and inode of a file. If another file replaces it, the inode changes. */
async function versionOf(path: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(path)
  return `${mtimeMs} ${size} ${ino}`
}

/**
 * Refuses the addresses in a file. The file has one address on each line; `#` starts a comment. The file is read again
 * when it changes. If the changed file is missing, damaged or empty, the list in memory stays unchanged, and the
 * failure is reported once. A list that is empty on purpose must contain a comment.
 *
 * @param failed is called with the error if a changed file can't be used.
 * @param current is called with false if a changed file can't be used, and with true when the list in memory matches
 * the file again.
 * @throws DenyListError, or the system's error, if the file can't be used at the start.
 */
export async function openDenyList(
  path: string,
  failed: (error: unknown) => void,
  current: (isCurrent: boolean) => void = () => undefined,
): Promise<Screener> {
  let version = await versionOf(path)
  let refused = await load(path)
  let reported: string | undefined

  const recovered = () => {
    if (reported !== undefined) current(true)
    reported = undefined
  }

  const reload = async (): Promise<void> => {
    let next = 'gone'
    try {
      next = await versionOf(path)
      if (next === reported) return
      // The old file was restored, so the list in memory matches it again.
      if (next === version) return recovered()
      const loaded = await load(path)
      // The file changed during the read, so the list may be incomplete. The next call reads the file again.
      if ((await versionOf(path)) !== next) return
      if ((await stat(path)).size === 0) throw new DenyListError(`the deny list ${path} is empty`)
      refused = loaded
      version = next
      recovered()
    } catch (error) {
      if (next !== reported) failed(error)
      reported = next
      current(false)
    }
  }

  return {
    isRefused: async (address) => {
      await reload()
      return refused.has(address)
    },
  }
}

/** The screener of a service without a list. It refuses no address. */
export const noScreening: Screener = { isRefused: () => false }
