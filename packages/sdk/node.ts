import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { TicketHeldError, type TicketStore } from './src/tickets/ticket-store.ts'
import type { TransferState } from './src/transfer/transfer-state.ts'
import {
  keepPrivateFile,
  readIfThere,
  tryCreatePrivateFile,
  writePrivateFile,
} from './src/node/private-file.ts'

export { fileBalance, type FileBalance } from './src/node/balance-file.ts'
export { makePrivateFolder, writePrivateFile } from './src/node/private-file.ts'

const TICKET = '.ticket'
/**
 * Suffix of the file that contains the id of the order's transfer. The id has its own file, because recovery expects
 * the ticket's file to contain only the ticket.
 */
const HOLDER = '.transfer'

/**
 * The path of an order's ticket file.
 *
 * @throws Error for an invalid tracking id. The service chooses the tracking ids, and without this check a malicious
 *   id could lead to a path outside the folder.
 */
export function ticketPath(folder: string, trackingId: string): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(trackingId)) throw new Error('invalid tracking id')
  return join(folder, trackingId + TICKET)
}

/**
 * Keeps recovery tickets as files in one folder, one file for each order. Only the files' owner may read them. `sotto
 * recover` and other recovery tools can read these files. Several processes may share the folder.
 */
export function fileTickets(folder: string): TicketStore {
  const holderOf = (trackingId: string) =>
    ticketPath(folder, trackingId).slice(0, -TICKET.length) + HOLDER
  const put = async (path: string, text: string) => {
    if (await tryCreatePrivateFile(path, text)) return
    if ((await readFile(path, 'utf8')) !== text) throw new TicketHeldError()
    // The process that created the file may not have made it durable or private. The text is not written again, so
    // no crash can damage the only copy.
    await keepPrivateFile(path)
  }
  return {
    save: async (trackingId, ticket, transferId) => {
      if (transferId !== undefined) await put(holderOf(trackingId), transferId)
      await put(ticketPath(folder, trackingId), `${ticket}\n`)
    },
    read: async (trackingId) => (await readIfThere(ticketPath(folder, trackingId)))?.trim(),
    remove: async (trackingId) => {
      await rm(ticketPath(folder, trackingId), { force: true })
      await rm(holderOf(trackingId), { force: true })
    },
    list: async () => {
      const names = await readdir(folder).catch(() => [])
      return names
        .filter((name) => name.endsWith(TICKET))
        .map((name) => name.slice(0, -TICKET.length))
    },
  }
}

/**
 * A transfer's state in a file that only the file's owner may read. As the option `state` of `transfer`, pass the
 * result of `read`, or `askedFor(request)` if that result is undefined. As the option `save`, pass `save`.
 */
export interface StateFile {
  /** The state that was saved last; undefined if no state has been saved yet. */
  readonly read: () => Promise<TransferState | undefined>
  readonly save: (state: TransferState) => Promise<void>
}

/**
 * Keeps a transfer's state in a file. Each save replaces the whole file. Only one process at a time may run a transfer.
 */
export function fileState(path: string): StateFile {
  return {
    read: async () => {
      const text = await readIfThere(path)
      return text === undefined ? undefined : (JSON.parse(text) as TransferState)
    },
    save: (state) => writePrivateFile(path, `${JSON.stringify(state)}\n`),
  }
}
