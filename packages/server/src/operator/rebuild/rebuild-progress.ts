import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'

const EVERY = 500

/**
 * Wraps a client and counts the transactions that are read through it. Reports progress after every 500 transactions.
 */
export function countReads(rpc: ChainRpc, progress: (text: string) => void): ChainRpc {
  let count = 0
  return new Proxy(rpc, {
    get: (target, name) => {
      if (name === 'getTransaction') {
        count += 1
        if (count % EVERY === 0) progress(`read ${count} transactions`)
      }
      return Reflect.get(target, name) as unknown
    },
  })
}
