import { FileLockedError, lockFile } from '@sotto/file-lock'
import { join } from 'node:path'

/** Thrown if the data folder is already open, in another process or in this process. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'
}

/**
 * Locks `<folder>/lock` for this process, because two processes would corrupt an embedded database. Returns a function
 * that unlocks the folder.
 *
 * @throws FolderInUseError if another process, or another part of this process, has the folder open.
 */
export function lockFolder(folder: string): () => void {
  try {
    return lockFile(join(folder, 'lock'))
  } catch (error) {
    if (!(error instanceof FileLockedError)) throw error
    const { holder } = error
    throw new FolderInUseError(
      `the data folder ${folder} is open in ${holder === undefined ? 'another process' : `process ${holder}`}; ` +
        'stop that process first, or set SOTTO_DATA to another folder, or SOTTO_DATABASE_URL to a PostgreSQL server',
    )
  }
}
