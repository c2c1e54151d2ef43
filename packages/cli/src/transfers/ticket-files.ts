import { fileTickets, ticketPath } from '@sotto/sdk/node'
import type { TicketStore } from '@sotto/sdk/wallet'
import { join } from 'node:path'

const folderOf = (home: string): string => join(home, 'tickets')

/** Path of an order's ticket file. @throws Error for an invalid tracking id. */
export const ticketFile = (home: string, trackingId: string): string =>
  ticketPath(folderOf(home), trackingId)

/** Keeps recovery tickets as files that only their owner may read. */
export const ticketFiles = (home: string): TicketStore => fileTickets(folderOf(home))
