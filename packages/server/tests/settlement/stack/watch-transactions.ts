import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '../../../src/adapters/store/sql.ts'

/** Sees what is asked of others while a transaction is open. */
export interface TransactionWatch {
  readonly database: Database
  /** A port whose calls are seen. */
  readonly watched: <Port extends object>(name: string, port: Port) => Port
  /** How many transactions there were, and the calls that were made inside one. */
  readonly seen: { transactions: number; readonly calls: string[] }
}

type Calls = Record<string, (...args: never[]) => unknown>

/** Watches a database's transactions, whatever else goes on beside them. */
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
