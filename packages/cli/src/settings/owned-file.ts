import { readFile, stat } from 'node:fs/promises'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'

const OTHERS = 0o077

/** The text of a file; undefined if the file doesn't exist. @throws CliError if the file can't be read. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    const next = 'make it a file that you may read'
    throw new CliError(EXIT.config, 'FILE_UNREADABLE', `${path} can't be read`, next, { cause })
  }
}

/** True if only the owner may read the file. Always true on systems without permission bits. */
export async function isPrivate(path: string): Promise<boolean> {
  if (process.platform === 'win32') return true
  return ((await stat(path)).mode & OTHERS) === 0
}
