import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '../../../src/adapters/store/sql.ts'

/** Records the calls to other ports while a transaction is open. */
export interface TransactionWatch {
  readonly database: Database
  /** Wraps a port so that its calls are recorded. */
  readonly watched: <Port extends object>(name: string, port: Port) => Port
  /** The number of transactions, and the calls that were made inside a transaction. */
  readonly seen: { transactions: number; readonly calls: string[] }
}

type Calls = Record<string, (...args: never[]) => unknown>

/**
 * Watches a database's transactions. Calls that other work makes at the same time, outside a transaction, aren't
 * counted.
 */
export function watchTransactions(database: Database): TransactionWatch {
  const inside = new AsyncLocalStorage<true>()
  const seen = { transactions: 0, calls: [] as string[] }
  return {
    seen,
    database: {
      ...database,
      transaction: (work, length) => {
        seen.transactions += 1
        return database.transaction((sql) => inside.run(true, () => work(sql)), length)
      },
    },
    watched: <Port extends object>(name: string, port: Port) => {
      const wrapped = Object.entries(port as Calls).map(([method, call]) => {
        if (typeof call !== 'function') return [method, call]
        const watching = (...args: never[]) => {
          if (inside.getStore()) seen.calls.push(`${name}.${method}`)
          return call(...args)
        }
        return [method, watching]
      })
      return Object.fromEntries(wrapped) as Port
    },
  }
}
