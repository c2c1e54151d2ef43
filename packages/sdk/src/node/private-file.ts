import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'

const OWNER_ONLY = 0o600
const DRAFT = /\.draft-[A-Za-z0-9]{6}$/
/** The name of the file in a draft's folder. */
const DRAFT_FILE = 'draft'
const DAY_MS = 86_400_000
/** The folders in which this process has removed old drafts. */
const cleaned = new Set<string>()

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
  await throughDraft(path, text, (draft) => rename(draft, path))
  // Earlier versions wrote this draft, and a crash may have left it over.
  await unlink(`${path}.draft`).catch(() => undefined)
}

/**
 * Creates a file that only its owner can read, atomically and durably: another process never finds part of the text,
 * even after a power cut. Returns false if the file already exists.
 */
export async function tryCreatePrivateFile(path: string, text: string): Promise<boolean> {
  let isNew = true
  await throughDraft(path, text, async (draft) => {
    try {
      await link(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      isNew = false
    }
  })
  return isNew
}

/** Makes an existing file private and durable, as if this process had written it. */
export async function keepPrivateFile(path: string): Promise<void> {
  await chmod(path, OWNER_ONLY)
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(dirname(path))
}

/**
 * Writes a text to a new draft, and gives the draft its place. Each write has its own draft, in a folder that only the
 * owner can open. So no other user can change or read the text.
 */
async function throughDraft(
  path: string,
  text: string,
  place: (draft: string) => Promise<void>,
): Promise<void> {
  const folder = dirname(path)
  await makePrivateFolder(folder)
  const own = await mkdtemp(`${path}.draft-`)
  try {
    await removeOldDrafts(folder, own).catch(() => undefined)
    const draft = join(own, DRAFT_FILE)
    await writeDraft(draft, text)
    await place(draft)
  } finally {
    await rm(own, { recursive: true, force: true })
  }
  await syncFolder(folder)
}

async function writeDraft(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', OWNER_ONLY)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Removes drafts that crashes left over, once in each folder. A draft that is a day older than `own` is unused. */
async function removeOldDrafts(folder: string, own: string): Promise<void> {
  if (cleaned.has(folder)) return
  cleaned.add(folder)
  const { mtimeMs: nowMs } = await stat(own)
  for (const name of await readdir(folder)) {
    if (!DRAFT.test(name)) continue
    await removeDraft(join(folder, name), nowMs - DAY_MS).catch(() => undefined)
  }
}

/**
 * Removes a draft's folder that is older than `beforeMs`. It may also be a folder of another program, so nothing is
 * removed if it contains anything but the file of a draft.
 */
async function removeDraft(path: string, beforeMs: number): Promise<void> {
  const shown = await lstat(path)
  if (!shown.isDirectory() || shown.mtimeMs > beforeMs) return
  if ((await readdir(path)).some((name) => name !== DRAFT_FILE)) return
  // Without `recursive`, this fails if the draft is itself a folder.
  await rm(join(path, DRAFT_FILE), { force: true })
  await rmdir(path)
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
