import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = await mkdtemp(join(tmpdir(), 'sotto-ceremony-test-'))

/** A new folder; `removeFolders` deletes all of this test file's folders together. */
export const makeFolder = (name: string): Promise<string> => mkdtemp(join(root, `${name}-`))

/** Removes every folder that this test file made. */
export const removeFolders = (): Promise<void> => rm(root, { recursive: true })
