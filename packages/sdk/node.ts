import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TicketHeldError, type TicketStore } from './src/tickets/ticket-store.ts'
import type { TransferState } from './src/transfer/transfer-state.ts'
import { makePrivateFolder, writePrivateFile } from './src/node/private-file.ts'

export { makePrivateFolder, writePrivateFile } from './src/node/private-file.ts'

const TICKET = '.ticket'
/** Names the transfer that an order belongs to; it stands beside the ticket, whose text recovery reads. */
const HOLDER = '.transfer'

/** The file of an order's ticket. @throws Error for what is no tracking id: the service chooses them. */
export function ticketPath(folder: string, trackingId: string): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(trackingId)) throw new Error('a tracking id that is none')
  return join(folder, trackingId + TICKET)
}

/**
 * Recovery tickets as files of a folder that only their owner may read, one for each order. `sotto
 * recover` and any other tool of recovery reads them. Processes may share the folder.
 */
export function fileTickets(folder: string): TicketStore {
  const holderOf = (trackingId: string) =>
    ticketPath(folder, trackingId).slice(0, -TICKET.length) + HOLDER
  const claim = async (trackingId: string, transferId: string) => {
    await makePrivateFolder(folder)
    try {
      await writeFile(holderOf(trackingId), transferId, { flag: 'wx', mode: 0o600 })
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
      if ((await readFile(holderOf(trackingId), 'utf8')) !== transferId) throw new TicketHeldError()
    }
  }
  return {
    save: async (trackingId, ticket, transferId) => {
      if (transferId !== undefined) await claim(trackingId, transferId)
      await writePrivateFile(ticketPath(folder, trackingId), `${ticket}\n`)
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

/** A transfer's state in a file that only its owner may read, for `state` and `save` of `transfer`. */
export interface StateFile {
  /** What was saved last; undefined before anything was. */
  readonly read: () => Promise<TransferState | undefined>
  readonly save: (state: TransferState) => Promise<void>
}

/** Keeps a transfer's state in a file, which is replaced as a whole. One process at a time runs it. */
export function fileState(path: string): StateFile {
  return {
    read: async () => {
      const text = await readIfThere(path)
      return text === undefined ? undefined : (JSON.parse(text) as TransferState)
    },
    save: (state) => writePrivateFile(path, `${JSON.stringify(state)}\n`),
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
