import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []

/** Makes a new folder. `removeFolders` later deletes all folders that this test file made. */
export async function makeFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `sotto-ceremony-${name}-`))
  made.push(folder)
  return folder
}

/**
 * Removes every folder that this test file made. A process runs only one test file at a time, so the folders belong to
 * no other file.
 */
export async function removeFolders(): Promise<void> {
  await Promise.all(made.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
}
