import type { Ticket } from '@sotto/protocol'
import type { LocateOptions } from '@sotto/recovery'
import type { CliContext } from '../context.ts'
import { openHistoryFile } from './history-file.ts'
import { leafSource } from './leaf-sources.ts'
import { readPosition } from './read-position.ts'

/** Command line options for the sources of a note's position in the tree. */
export interface FindOptions {
  /** Path of a file with a status record or its `recoveryProof`. */
  readonly path?: string
  /** URLs, folders or files with the pool's leaves. */
  readonly leaves?: readonly string[]
}

/**
 * Calls `use` with the options for finding a ticket's note. History that is read from the chain is saved for the next
 * run.
 */
export async function finding<Result>(
  { output, settings }: CliContext,
  ticket: Ticket,
  { path, leaves = [] }: FindOptions,
  use: (options: LocateOptions) => Promise<Result>,
): Promise<Result> {
  if (path !== undefined) return use({ position: await readPosition(path) })
  const sources = await Promise.all(leaves.map(leafSource))
  const { store, release } = await openHistoryFile(settings.home, ticket.program)
  const show = (what: string) => output.progress.doing(`finding the note: ${what}`)
  try {
    return await use({
      sources,
      onRefused: (reason) => show(`published leaves were not used: ${reason}`),
      history: {
        store,
        url: settings.rpcUrl,
        onProgress: (count) => show(`${count} transactions listed`),
      },
    })
  } finally {
    release()
  }
}
