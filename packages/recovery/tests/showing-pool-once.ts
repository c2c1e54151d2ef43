import type { Address } from '@solana/kit'
import type { RecoveryRpc } from '../index.ts'

interface Shown {
  readonly context: unknown
  readonly value: { readonly data: readonly [string, string] } | null
}

/** A node that changes its first `times` responses about the account. */
export function showingChanged(
  rpc: RecoveryRpc,
  changed: Address,
  change: (data: Buffer) => void,
  times = 1,
): RecoveryRpc {
  let left = times
  const getAccountInfo = (account: Address, ...more: never[]) => ({
    send: async () => {
      const shown = (await rpc.getAccountInfo(account, ...more).send()) as unknown as Shown
      if (account !== changed || shown.value === null || left === 0) return shown
      left -= 1
      const data = Buffer.from(shown.value.data[0], 'base64')
      change(data)
      return { ...shown, value: { ...shown.value, data: [data.toString('base64'), 'base64'] } }
    },
  })
  return new Proxy(rpc, {
    get: (whole, key) =>
      key === 'getAccountInfo' ? getAccountInfo : (Reflect.get(whole, key) as unknown),
  })
}

/** A node whose first `times` responses about the pool contain a domain other than `domain`. */
export const showingPoolOnce = (
  rpc: RecoveryRpc,
  pool: Address,
  domain: Uint8Array,
  times = 1,
): RecoveryRpc =>
  showingChanged(
    rpc,
    pool,
    (data) => {
      const at = data.indexOf(domain)
      data[at] = (data[at] ?? 0) ^ 1
    },
    times,
  )
