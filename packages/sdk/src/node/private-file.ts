import { link, mkdir, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** A file's text; undefined if the file doesn't exist. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Replaces a file atomically and durably. Only the file's owner can read it. A later reader finds either the previous
 * text or the new text, even after a power cut.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await makePrivateFolder(dirname(path))
  const draft = `${path}.draft`
  await writeDraft(draft, text)
  await rename(draft, path)
  await syncFolder(dirname(path))
}

/**
 * Creates a file that only its owner can read, atomically and durably: another process never finds part of the text,
 * even after a power cut. Returns false if the file already exists.
 */
export async function tryCreatePrivateFile(path: string, text: string): Promise<boolean> {
  await makePrivateFolder(dirname(path))
  // Each caller has its own draft, so that callers at the same time can't mix their texts.
  const folder = await mkdtemp(`${path}.`)
  try {
    const draft = join(folder, 'draft')
    await writeDraft(draft, text)
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(folder, { recursive: true })
  }
  await syncFolder(dirname(path))
  return true
}

async function writeDraft(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Flushes a folder to the disk. Without the flush, a power cut could undo the renaming. Windows has no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
