import { link, open, mkdir, readFile, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** The bytes of a secret file; undefined where there is none. */
export async function readSecretFile(path: string, size: number): Promise<Buffer | undefined> {
  try {
    const bytes = await readFile(path)
    if (bytes.length !== size)
      throw new Error(`the key file ${path} is damaged; restore its backup`)
    return bytes
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/**
 * Makes a secret file, readable by its owner only, and returns what it holds: the given bytes, or
 * those of whoever was first. Both file and folder entry are on disk when this returns, because what
 * is sealed with a key that a power cut takes away is lost.
 */
export async function makeSecretFile(path: string, bytes: Uint8Array): Promise<Buffer> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.${Buffer.from(bytes.subarray(0, 4)).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(draft, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
  await syncFolder(dirname(path))
  const written = await readSecretFile(path, bytes.length)
  if (written === undefined) throw new Error(`the key file ${path} vanished while it was made`)
  return written
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
