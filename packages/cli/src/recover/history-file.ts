import { FileLockedError, lockFile } from '@sotto/file-lock'
import type { Address } from '@sotto/protocol'
import type { HistoryPage, HistoryStore } from '@sotto/recovery'
import { makePrivateFolder } from '@sotto/sdk/node'
import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere } from '../settings/owned-file.ts'

type Side = 'newer' | 'older'

/** A line of the file: pages that were read together. Integers are strings. */
interface Line {
  readonly side: Side
  readonly pages: readonly HistoryPage[]
}

/** A saved part of a program's history. An interrupted recovery continues from it. */
export interface HistoryFile {
  /** Undefined if another process is using the file. */
  readonly store: HistoryStore | undefined
  readonly release: () => void
}

/** Opens the file for a program's history in the command's own folder. The file's content is public data. */
export async function openHistoryFile(home: string, program: Address): Promise<HistoryFile> {
  const folder = join(home, 'recover')
  await makePrivateFolder(folder)
  const path = join(folder, `${program}.jsonl`)
  try {
    return { store: storeAt(path), release: lockFile(`${path}.lock`) }
  } catch (error) {
    if (error instanceof FileLockedError) return { store: undefined, release: () => undefined }
    throw error
  }
}

/** A store that saves pages in a file. Each addition appends a line. */
export function storeAt(path: string): HistoryStore {
  return {
    load: async () => {
      const text = (await readIfThere(path)) ?? ''
      const lines = text.split('\n').filter((line) => line !== '')
      const read = linesIn(lines)
      // A crash or a full disk may have cut off the last line. If a new line were appended to this incomplete line,
      // neither could be read. So write the file again without the incomplete line.
      if (read.length < lines.length || !/(^|\n)$/.test(text)) {
        await writeFile(path, read.map((line) => `${show(line)}\n`).join(''))
      }
      return read.reduce<readonly HistoryPage[]>(
        (pages, line) =>
          line.side === 'newer' ? [...line.pages, ...pages] : [...pages, ...line.pages],
        [],
      )
    },
    add: async (side, pages) => {
      if (pages.length > 0) await appendFile(path, `${show({ side, pages })}\n`)
    },
    forget: () => rm(path, { force: true }),
  }
}

/** The lines up to the first incomplete line. */
function linesIn(lines: readonly string[]): Line[] {
  const read: Line[] = []
  for (const line of lines) {
    try {
      read.push(readLine(line))
    } catch {
      break
    }
  }
  return read
}

const show = (line: Line): string =>
  JSON.stringify(line, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))

function readLine(text: string): Line {
  const { side, pages } = JSON.parse(text) as Line
  const restored = pages.map((page) => ({
    ...page,
    appending: page.appending.map((one) => ({
      ...one,
      slot: BigInt(one.slot),
      leaves: one.leaves.map(BigInt),
    })),
  }))
  return { side, pages: restored }
}
