import type { TicketStore } from '@sotto/sdk/wallet'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere } from '../settings/owned-file.ts'
import { writePrivateFile } from './private-file.ts'

const ENDING = '.ticket'

/** Where the ticket of an order is kept. The service chooses tracking ids, so their form is checked. */
export function ticketFile(home: string, trackingId: string): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(trackingId)) throw new Error('a tracking id that is none')
  return join(home, 'tickets', trackingId + ENDING)
}

/** Recovery tickets as files that only their owner may read. */
export function ticketFiles(home: string): TicketStore {
  return {
    save: (trackingId, ticket) => writePrivateFile(ticketFile(home, trackingId), `${ticket}\n`),
    read: async (trackingId) => (await readIfThere(ticketFile(home, trackingId)))?.trim(),
    remove: (trackingId) => rm(ticketFile(home, trackingId), { force: true }),
    list: async () => {
      const names = await readdir(join(home, 'tickets')).catch(() => [])
      return names
        .filter((name) => name.endsWith(ENDING))
        .map((name) => name.slice(0, -ENDING.length))
    },
  }
}
