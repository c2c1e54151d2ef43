/**
 * Keeps recovery tickets. A ticket gets the money back without the service, and it joins sender and
 * recipient for whoever reads it: keep it as a secret, and remove it once the transfer is final.
 */
export interface TicketStore {
  readonly save: (trackingId: string, ticket: string) => Promise<void>
  readonly read: (trackingId: string) => Promise<string | undefined>
  readonly remove: (trackingId: string) => Promise<void>
  /** Tracking ids of the tickets that are kept. */
  readonly list: () => Promise<readonly string[]>
}

/** Tickets that end with the process: for tests, and for hosts that save the order themselves. */
export function memoryTickets(): TicketStore {
  const tickets = new Map<string, string>()
  return {
    save: async (trackingId, ticket) => void tickets.set(trackingId, ticket),
    read: async (trackingId) => tickets.get(trackingId),
    remove: async (trackingId) => void tickets.delete(trackingId),
    list: async () => [...tickets.keys()],
  }
}

/** What of a browser's storage is used. */
export interface KeyValueStorage {
  readonly length: number
  readonly key: (index: number) => string | null
  readonly getItem: (key: string) => string | null
  readonly setItem: (key: string, value: string) => void
  readonly removeItem: (key: string) => void
}

const PREFIX = 'sotto:ticket:'

/** Tickets in a browser's storage, `localStorage` unless given. @throws Error where there is none. */
export function storedTickets(storage: KeyValueStorage = localStorageOf()): TicketStore {
  return {
    save: async (trackingId, ticket) => storage.setItem(PREFIX + trackingId, ticket),
    read: async (trackingId) => storage.getItem(PREFIX + trackingId) ?? undefined,
    remove: async (trackingId) => storage.removeItem(PREFIX + trackingId),
    list: async () =>
      Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
        .filter((key) => key.startsWith(PREFIX))
        .map((key) => key.slice(PREFIX.length)),
  }
}

function localStorageOf(): KeyValueStorage {
  const { localStorage } = globalThis as { localStorage?: KeyValueStorage }
  if (localStorage === undefined) {
    throw new Error('there is no localStorage here: give a ticket store of your own')
  }
  return localStorage
}
