import { link, open, mkdir, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Random } from '../../ports/random.ts'
import { ownBytes } from '../random/own-bytes.ts'

const NAME_BYTES = 8

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/**
 * The bytes of a secret file; undefined if there is no file. Memory contains no other copy. The caller must zero the
 * bytes.
 */
export async function readSecretFile(path: string, size: number): Promise<Buffer | undefined> {
  // One byte more than expected is read, so that a longer file is noticed.
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
 * Creates a secret file, readable by its owner only, and returns its content: the given bytes, or the bytes that
 * another process wrote first. When this function returns, the file and its folder entry are on disk. If a power cut
 * removed a key, all data sealed with the key would be unreadable.
 *
 * @param bytes are zeroed.
 */
export async function makeSecretFile(
  path: string,
  bytes: Uint8Array,
  random: Random,
): Promise<Buffer> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // The file's name reveals nothing about its content, because folder listings get into logs and backups.
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
    // After linking, both names mean the same file, so the draft must not be overwritten.
    await (isLinked ? unlink(draft) : destroySecretFile(draft))
  }
  await syncFolder(dirname(path))
  const written = await readSecretFile(path, bytes.length)
  if (written === undefined)
    throw new Error(`the key file ${path} disappeared while it was created`)
  return written
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

/** Overwrites and removes a secret file. Repeatable. */
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

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
