import { tryLock } from 'fs-native-extensions'
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'

/** Another process, or another part of this one, holds the lock. */
export class FileLockedError extends Error {
  override readonly name = 'FileLockedError'
  /**
   * The holder's process id as its own system or container numbers it, for a message; undefined if it can't be read.
   */
  readonly holder: string | undefined

  constructor(path: string, holder: string | undefined) {
    super(`${path} is locked by ${holder === undefined ? 'a process' : `process ${holder}`}`)
    this.holder = holder
  }
}

/**
 * Locks a file for this process, and creates it if it is missing; its folder must exist. The operating system binds the
 * lock to the open file, so the lock always ends with the process. Neither a process id nor a clock nor the file's
 * content decides who holds the lock (docs/decisions/0037-the-kernel-holds-every-lock.md).
 *
 * @returns the function that unlocks and removes the file. It may be called repeatedly.
 * @throws FileLockedError while the lock is held; an error with a code, such as ENOLCK, if the file system has no
 *   locks.
 */
export function lockFile(path: string): () => void {
  for (;;) {
    // This uses a descriptor and not a FileHandle, because a garbage-collected handle closes its file and loses the
    // lock.
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    try {
      if (!tryLock(file)) throw new FileLockedError(path, readHolder(path))
      // The former holder may have removed the file after it was opened here. The lock would then be on a file that no
      // other process can open.
      if (isAt(file, path)) {
        ftruncateSync(file)
        writeSync(file, `${process.pid}`, 0)
        return releaseOf(file, path)
      }
    } catch (error) {
      closeSync(file)
      throw error
    }
    closeSync(file)
  }
}

function releaseOf(file: number, path: string): () => void {
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    // The file is removed while it is still locked, so that a later process creates a new file.
    if (isAt(file, path)) rmSync(path, { force: true })
    closeSync(file)
  }
}

function isAt(file: number, path: string): boolean {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  const own = fstatSync(file, { bigint: true })
  return found?.ino === own.ino && found.dev === own.dev
}

function readHolder(path: string): string | undefined {
  try {
    return /^[1-9][0-9]*/.exec(readFileSync(path, 'utf8'))?.[0]
  } catch {
    // The holder has just removed the file, or the system forbids reading a locked file.
    return undefined
  }
}
