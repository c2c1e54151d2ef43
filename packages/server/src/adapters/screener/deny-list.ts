import { isAddress } from '@sotto/protocol'
import { readFile, stat } from 'node:fs/promises'
import type { Screener } from '../../ports/screener.ts'

/** The list can't be used. Names the file and a line, never an address. */
export class DenyListError extends Error {
  override readonly name = 'DenyListError'
}

async function load(path: string): Promise<Set<string>> {
  const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim())
  const refused = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (line === '' || line.startsWith('#')) continue
    // A line cut short is what a file looks like while it is written.
    if (!isAddress(line)) {
      throw new DenyListError(
        `line ${index + 1} of the deny list ${path} is no address; correct it`,
      )
    }
    refused.add(line)
  }
  return refused
}

/** What differs between two states of a file; another file under the same name has another number. */
async function versionOf(path: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(path)
  return `${mtimeMs} ${size} ${ino}`
}

/**
 * Refuses the addresses in a file, one a line, `#` starts a comment. Read again when it changes, whole or
 * not at all: a file that is gone, damaged or emptied leaves the list as it was, and is reported once.
 * A list that is meant to be empty says so with a comment.
 *
 * @param failed is told of a file that can't be taken over.
 * @param current is told whether the list in use is what the file holds, whenever that changes.
 * @throws DenyListError, or the system's error, where the file can't be used at the start.
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
      // Put back as it was: what is in use is what it holds again.
      if (next === version) return recovered()
      const loaded = await load(path)
      // Changed while it was read: what was read may be half of it.
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

/** Screening of a service that was given no list. */
export const noScreening: Screener = { isRefused: () => false }
