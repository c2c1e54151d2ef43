/**
 * Keeps recovery tickets. A ticket lets its holder get the money back without the service, and reveals who pays whom.
 * So keep tickets secret, and remove a ticket after `transfer` has returned how the order ended. All transfers of a
 * sender must share one store, so that a transfer can detect that the service returned an order of another transfer.
 */
export interface TicketStore {
  /**
   * Must resolve only after the ticket is stored durably. `transferId` is the id of the transfer to which the order
   * belongs. It is omitted if the order belongs to no particular transfer.
   *
   * @throws TicketHeldError if the order was saved earlier with another ticket or with another transfer's id. In that
   *   case the store must stay unchanged.
   */
  readonly save: (trackingId: string, ticket: string, transferId?: string) => Promise<void>
  readonly read: (trackingId: string) => Promise<string | undefined>
  readonly remove: (trackingId: string) => Promise<void>
  /** The tracking ids of all stored tickets. */
  readonly list: () => Promise<readonly string[]>
}

/** The order belongs to another transfer or has another ticket, so nothing must be signed for it. */
export class TicketHeldError extends Error {
  override readonly name = 'TicketHeldError'

  constructor() {
    super('another transfer saved this order, or the order was saved with another ticket')
  }
}

/** Keeps tickets in memory: for tests, and for applications that save each order themselves. */
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

/** The members of a browser's storage that the SDK uses. */
export interface KeyValueStorage {
  readonly length: number
  readonly key: (index: number) => string | null
  readonly getItem: (key: string) => string | null
  readonly setItem: (key: string, value: string) => void
  readonly removeItem: (key: string) => void
}

const PREFIX = 'sotto:ticket:'
/**
 * Prefix of the storage key under which the id of the order's transfer is kept. The id has its own entry, because
 * recovery expects the ticket's entry to contain only the ticket.
 */
const HOLDER_PREFIX = 'sotto:ticket-holder:'

/** Keeps tickets in a browser's storage. The default is `localStorage`. @throws Error if there is no `localStorage`. */
export function storedTickets(storage: KeyValueStorage = localStorageOf()): TicketStore {
  return {
    save: async (trackingId, ticket, transferId) => {
      const holder = storage.getItem(HOLDER_PREFIX + trackingId) ?? transferId
      if (transferId !== undefined && holder !== transferId) throw new TicketHeldError()
      if ((storage.getItem(PREFIX + trackingId) ?? ticket) !== ticket) throw new TicketHeldError()
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
    throw new Error('there is no localStorage here: provide your own ticket store')
  }
  return localStorage
}
