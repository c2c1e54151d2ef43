import { FileLockedError, lockFile } from '@sotto/file-lock'
import { dirname, resolve } from 'node:path'
import { BalanceTakenError, type BalanceStore } from '../balance/balance-store.ts'
import { makePrivateFolder, readIfThere, writePrivateFile } from './private-file.ts'

export interface FileBalance extends BalanceStore {
  /**
   * Releases the lock, so that another process can use the balance. If this function isn't called, the balance stays
   * locked until this process ends.
   */
  readonly release: () => void
}

/**
 * A balance that this process uses: its lock, and its last write. The next write waits until the last write has
 * ended.
 */
interface Used {
  unlock: (() => void) | undefined
  last: Promise<unknown>
}

/** The balances that this process uses, by path. All stores that this process opens on one file share one lock. */
const used = new Map<string, Used>()

/**
 * Keeps a balance in a file that only the file's owner may read. Each write replaces the whole file and is flushed to
 * the disk. The first write creates a lock file next to the balance's file. Until this process ends or calls
 * `release`, the writes of every other process throw BalanceTakenError. Reading needs no lock.
 */
export function fileBalance(path: string): FileBalance {
  const file = resolve(path)
  return {
    read: () => readIfThere(file),
    write: (text, before) =>
      inTurn(file, async (mine) => {
        await makePrivateFolder(dirname(file))
        mine.unlock ??= lock(`${file}.lock`)
        if ((await readIfThere(file)) !== before) throw new BalanceTakenError()
        await writePrivateFile(file, text)
      }),
    release: () => {
      const mine = used.get(file)
      mine?.unlock?.()
      if (mine !== undefined) mine.unlock = undefined
    },
  }
}

/**
 * Takes the lock, and returns the function that releases it. @throws BalanceTakenError while another process has the
 * lock.
 */
function lock(path: string): () => void {
  try {
    return lockFile(path)
  } catch (error) {
    if (error instanceof FileLockedError) throw new BalanceTakenError()
    throw error
  }
}

function inTurn(file: string, work: (mine: Used) => Promise<void>): Promise<void> {
  const mine = used.get(file) ?? { unlock: undefined, last: Promise.resolve() }
  used.set(file, mine)
  const turn = mine.last.then(
    () => work(mine),
    () => work(mine),
  )
  mine.last = turn.catch(() => undefined)
  return turn
}
