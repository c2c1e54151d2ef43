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

/** The lock is held by another process, or by another part of this process. */
export class FileLockedError extends Error {
  override readonly name = 'FileLockedError'
  /**
   * The process id of the lock's holder. The id is valid only in the holder's own system or container, so use it only
   * in messages. Undefined if it can't be read.
   */
  readonly holder: string | undefined

  constructor(path: string, holder: string | undefined) {
    super(`${path} is locked by ${holder === undefined ? 'a process' : `process ${holder}`}`)
    this.holder = holder
  }
}

/**
 * Locks a file for this process. Creates the file if it is missing, but not its folder. The operating system binds
 * the lock to the open file, so the lock always ends when the process ends. The lock doesn't depend on a process id,
 * a clock, or the file's content (docs/decisions/0037-the-kernel-holds-every-lock.md).
 *
 * @returns the function that unlocks and removes the file. You may call it more than once.
 * @throws FileLockedError while the lock is held; an error with a code, such as ENOLCK, if the file system has no
 *   locks.
 */
export function lockFile(path: string): () => void {
  for (;;) {
    // Use a descriptor instead of a FileHandle, because a garbage-collected FileHandle closes its file and loses the
    // lock.
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    try {
      if (!tryLock(file)) throw new FileLockedError(path, readHolder(path))
      // If the previous holder removed the file after this process opened it, this lock would be on a file that no
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
    // Remove the file while it is still locked, so that a later process creates a new file.
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
    // The holder has just removed the file, or the system doesn't allow reading a locked file.
    return undefined
  }
}
