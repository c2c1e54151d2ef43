import { link, open, rename, unlink, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemRandom } from '../random/system-random.ts'
import { syncFolder } from './sync-folder.ts'

const NAME_BYTES = 8

/**
 * Writes a file under a random name of its own, and gives it its real name only once all of it is on disk. So neither
 * readers nor a power cut can find a part of the file, and two processes can write it at the same time. If `write`
 * fails, nothing is left. Returns what `write` returns.
 *
 * @param existing says whether a file with this name is replaced or kept.
 * @throws Error with the code EEXIST if a file with this name is kept.
 */
export async function writeWholeFile<Result>(
  path: string,
  existing: 'replaced' | 'kept',
  write: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const draft = `${path}.${Buffer.from(systemRandom.bytes(NAME_BYTES)).toString('hex')}.part`
  const file = await open(draft, 'wx')
  let isRenamed = false
  let result: Result
  try {
    try {
      result = await write(file)
      await file.sync()
    } finally {
      await file.close()
    }
    // Unlike `rename`, `link` never replaces a file.
    if (existing === 'kept') await link(draft, path)
    else {
      await rename(draft, path)
      isRenamed = true
    }
  } finally {
    if (!isRenamed) await unlink(draft)
  }
  await syncFolder(dirname(path))
  return result
}
