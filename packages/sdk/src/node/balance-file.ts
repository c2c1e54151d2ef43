import { FileLockedError, lockFile } from '@sotto/file-lock'
import { dirname, resolve } from 'node:path'
import { BalanceTakenError, type BalanceStore } from '../balance/balance-store.ts'
import { makePrivateFolder, readIfThere, writePrivateFile } from './private-file.ts'

/** A balance in a file. */
export interface FileBalance extends BalanceStore {
  /**
   * Lets another process use the balance. Without this call, no other process can use the balance until this process
   * ends.
   */
  readonly release: () => void
}

/** A balance that this process uses: its lock, and its last write, which the next write waits for. */
interface Used {
  unlock: (() => void) | undefined
  last: Promise<unknown>
}

/** The balances that this process uses, by path. All stores of this process on one file share the file's lock. */
const used = new Map<string, Used>()

/**
 * Keeps a balance in a file that only its owner may read. Each write is flushed to the disk and replaces the file as a
 * whole. The first write takes a lock, which is a file next to the balance's. Until the process ends or calls
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

/** @throws BalanceTakenError while another process holds the lock. */
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
