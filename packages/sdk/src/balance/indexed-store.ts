import { BalanceTakenError, type BalanceStore } from './balance-store.ts'

const DATABASE = 'sotto-balances'
const BALANCES = 'balances'

/** The members of IndexedDB that are used here. */
interface Request<Result> {
  readonly result: Result
  readonly error: unknown
  onsuccess: (() => void) | null
  onerror: (() => void) | null
}
interface Table {
  readonly get: (key: string) => Request<unknown>
  readonly getAllKeys: () => Request<unknown>
  readonly put: (value: string, key: string) => Request<unknown>
  readonly delete: (key: string) => Request<unknown>
}
interface Transaction {
  readonly objectStore: (name: string) => Table
  readonly abort: () => void
  readonly error: unknown
  oncomplete: (() => void) | null
  onabort: (() => void) | null
}
interface Database {
  readonly createObjectStore: (name: string) => unknown
  readonly transaction: (
    name: string,
    mode: 'readonly' | 'readwrite',
    options?: { readonly durability: 'strict' },
  ) => Transaction
  readonly close: () => void
}
interface OpenRequest extends Request<Database> {
  onupgradeneeded: (() => void) | null
}

/** A browser's `indexedDB`. */
export interface IndexedDatabases {
  readonly open: (name: string, version: number) => OpenRequest
}

const outcome = <Result>(request: Request<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(errorOf(request.error))
  })

const errorOf = (cause: unknown): Error =>
  cause instanceof Error ? cause : new Error('the browser refuses access to its storage', { cause })

async function open(databases: IndexedDatabases): Promise<Database> {
  const request = databases.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(BALANCES)
  return outcome(request)
}

/**
 * Resolves when the transaction is flushed to the disk.
 * @throws the error that `work` throws. In that case nothing is changed.
 */
async function within<Result>(
  databases: IndexedDatabases,
  mode: 'readonly' | 'readwrite',
  work: (table: Table) => Promise<Result>,
): Promise<Result> {
  const database = await open(databases)
  try {
    const transaction = database.transaction(BALANCES, mode, { durability: 'strict' })
    const completed = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(errorOf(transaction.error))
    })
    try {
      const result = await work(transaction.objectStore(BALANCES))
      await completed
      return result
    } catch (error) {
      completed.catch(() => undefined)
      if (mode === 'readwrite') transaction.abort()
      throw error
    }
  } finally {
    database.close()
  }
}

/**
 * Keeps a balance in the browser's IndexedDB under a name. Each write is one transaction that is flushed to the disk.
 * When the user deletes the site's data, the browser deletes the balance too. So let the user save the balance's
 * ticket in another place.
 *
 * @throws Error if the environment has no IndexedDB.
 */
export function indexedBalance(name: string, databases = globalDatabases()): BalanceStore {
  return {
    read: () =>
      within(databases, 'readonly', async (table) => textIn(await outcome(table.get(name)))),
    write: (text, before) =>
      within(databases, 'readwrite', async (table) => {
        if (textIn(await outcome(table.get(name))) !== before) throw new BalanceTakenError()
        await outcome(table.put(text, name))
      }),
  }
}

/**
 * The names of all balances in the browser's IndexedDB.
 * @throws Error if the environment has no IndexedDB.
 */
export function indexedBalanceNames(databases = globalDatabases()): Promise<readonly string[]> {
  return within(databases, 'readonly', async (table) => {
    const keys = await outcome(table.getAllKeys())
    return (keys as readonly unknown[]).filter((key) => typeof key === 'string')
  })
}

/**
 * Deletes a balance and the secret that spends it from the browser's IndexedDB. Delete a balance only if it is empty,
 * or if its ticket is saved elsewhere.
 *
 * @throws Error if the environment has no IndexedDB.
 */
export function forgetIndexedBalance(name: string, databases = globalDatabases()): Promise<void> {
  return within(databases, 'readwrite', async (table) => {
    await outcome(table.delete(name))
  })
}

/**
 * Deletes a balance if `mayForget` returns true for its text. No other tab can write the balance between the check and
 * the deletion, because both are one transaction. Returns true if the balance was deleted.
 *
 * @throws the error that `mayForget` throws. In that case nothing is deleted.
 */
export function forgetIndexedBalanceIf(
  name: string,
  mayForget: (text: string) => boolean,
  databases = globalDatabases(),
): Promise<boolean> {
  return within(databases, 'readwrite', async (table) => {
    const text = textIn(await outcome(table.get(name)))
    if (text === undefined || !mayForget(text)) return false
    await outcome(table.delete(name))
    return true
  })
}

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

function globalDatabases(): IndexedDatabases {
  const { indexedDB } = globalThis as { indexedDB?: IndexedDatabases }
  if (indexedDB === undefined) {
    throw new Error('there is no IndexedDB here: provide your own balance store')
  }
  return indexedDB
}
