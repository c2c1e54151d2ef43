import { link, open, mkdir, unlink } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { syncFolder } from '../files/sync-folder.ts'
import type { Random } from '../../ports/random.ts'
import { ownBytes } from '../random/own-bytes.ts'

const NAME_BYTES = 8

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/**
 * Reads the bytes of a secret file; undefined if the file doesn't exist. The returned bytes are the only copy in
 * memory. The caller must zero them.
 */
export async function readSecretFile(path: string, size: number): Promise<Buffer | undefined> {
  // The buffer is one byte longer than the expected content. So a file that is too long is noticed.
  const bytes = Buffer.from(ownBytes(size + 1).buffer)
  let length = 0
  try {
    const file = await open(path, 'r')
    try {
      for (;;) {
        const { bytesRead } = await file.read(bytes, length, bytes.length - length, length)
        length += bytesRead
        if (bytesRead === 0 || length === bytes.length) break
      }
    } finally {
      await file.close()
    }
  } catch (error) {
    bytes.fill(0)
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
  if (length === size) return bytes.subarray(0, size)
  bytes.fill(0)
  throw new Error(`the key file ${path} is damaged; restore its backup`)
}

/**
 * Creates a secret file that only its owner can read, and returns its content. The content is the given bytes, or the
 * bytes that another process wrote first. Before this function returns, the file and the entries of new folders are on
 * disk, so a power cut can't remove the key. If the key were lost, all data that is sealed with it would be unreadable.
 *
 * A process that is killed here may leave a second copy of the content, in a draft: the path, a dot and 16 hexadecimal
 * digits.
 *
 * @param bytes are zeroed.
 */
export async function makeSecretFile(
  path: string,
  bytes: Uint8Array,
  random: Random,
): Promise<Buffer> {
  await makeFolder(dirname(path))
  // Folder listings appear in logs and backups, so the draft's name must reveal nothing about its content.
  const draft = `${path}.${Buffer.from(random.bytes(NAME_BYTES)).toString('hex')}`
  let isLinked = false
  try {
    await writeDraft(draft, bytes)
    await link(draft, path)
    isLinked = true
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    bytes.fill(0)
    // If the link exists, both names refer to the same file. Then overwriting the draft would destroy the key.
    await (isLinked ? unlink(draft) : destroySecretFile(draft))
  }
  await syncFolder(dirname(path))
  const written = await readSecretFile(path, bytes.length)
  if (written === undefined)
    throw new Error(`the key file ${path} disappeared while it was created`)
  return written
}

/** Makes a folder with its parents. The entry of each new folder is then on disk. */
async function makeFolder(path: string): Promise<void> {
  const whole = resolve(path)
  const first = await mkdir(whole, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = whole; made.length >= first.length; made = dirname(made)) {
    await syncFolder(dirname(made))
  }
}

async function writeDraft(draft: string, bytes: Uint8Array): Promise<void> {
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Overwrites and removes a secret file. Does nothing if the file is already gone. */
export async function destroySecretFile(path: string): Promise<void> {
  try {
    const file = await open(path, 'r+')
    try {
      await file.write(new Uint8Array((await file.stat()).size), 0)
      await file.sync()
    } finally {
      await file.close()
    }
    await unlink(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  await syncFolder(dirname(path)).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error
  })
}
