/**
 * Keeps recovery tickets. A ticket gets the money back without the service, and it joins sender and
 * recipient for whoever reads it: keep it as a secret, and remove it once `transfer` says how the order
 * ended. All transfers of a sender share one store, so that none takes the order of another.
 */
export interface TicketStore {
  /**
   * Must have stored the ticket for good when it resolves. `transferId` names the transfer that the order
   * belongs to; without one it belongs to none in particular.
   *
   * @throws TicketHeldError, and keeps what it has, if another transfer's id came with this order before.
   */
  readonly save: (trackingId: string, ticket: string, transferId?: string) => Promise<void>
  readonly read: (trackingId: string) => Promise<string | undefined>
  readonly remove: (trackingId: string) => Promise<void>
  /** Tracking ids of the tickets that are kept. */
  readonly list: () => Promise<readonly string[]>
}

/** The order belongs to another transfer: nothing may be signed for this one. */
export class TicketHeldError extends Error {
  override readonly name = 'TicketHeldError'

  constructor() {
    super('another transfer holds the ticket of this order')
  }
}

/** Tickets that end with the process: for tests, and for hosts that save the order themselves. */
export function memoryTickets(): TicketStore {
  const kept = new Map<string, string>()
  return storedTickets({
    get length() {
      return kept.size
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  })
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
/** Names the transfer that an order belongs to; it stands beside the ticket, whose text recovery reads. */
const HOLDER_PREFIX = 'sotto:ticket-holder:'

/** Tickets in a browser's storage, `localStorage` unless given. @throws Error where there is none. */
export function storedTickets(storage: KeyValueStorage = localStorageOf()): TicketStore {
  return {
    save: async (trackingId, ticket, transferId) => {
      const holder = storage.getItem(HOLDER_PREFIX + trackingId) ?? transferId
      if (transferId !== undefined && holder !== transferId) throw new TicketHeldError()
      storage.setItem(PREFIX + trackingId, ticket)
      if (holder !== undefined) storage.setItem(HOLDER_PREFIX + trackingId, holder)
    },
    read: async (trackingId) => storage.getItem(PREFIX + trackingId) ?? undefined,
    remove: async (trackingId) => {
      storage.removeItem(PREFIX + trackingId)
      storage.removeItem(HOLDER_PREFIX + trackingId)
    },
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
