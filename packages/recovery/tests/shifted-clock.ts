import type { Address } from '@solana/kit'
import { CLOCK_SYSVAR } from '@sotto/protocol'
import type { RecoveryRpc } from '../index.ts'
import { showingChanged } from './showing-pool-once.ts'

interface Shown {
  readonly data: readonly [string, string]
}

/** A node that changes all its responses about the account, also those about several accounts. */
export function alwaysShowingChanged(
  rpc: RecoveryRpc,
  changed: Address,
  change: (data: Buffer) => void,
): RecoveryRpc {
  const falsified = (shown: Shown) => {
    const data = Buffer.from(shown.data[0], 'base64')
    change(data)
    return { ...shown, data: [data.toString('base64'), 'base64'] }
  }
  const getMultipleAccounts = (accounts: readonly string[], ...more: never[]) => ({
    send: async () => {
      const { context, value } = await rpc.getMultipleAccounts(accounts as never, ...more).send()
      const shown = value as unknown as (Shown | null)[]
      const own = shown.map((one, index) =>
        one !== null && accounts[index] === changed ? falsified(one) : one,
      )
      return { context, value: own }
    },
  })
  return new Proxy(showingChanged(rpc, changed, change, Infinity), {
    get: (whole, key) =>
      key === 'getMultipleAccounts' ? getMultipleAccounts : (Reflect.get(whole, key) as unknown),
  })
}

/** A node whose clock differs from the chain's by so many seconds. */
export const shifted = (rpc: RecoveryRpc, seconds: bigint): RecoveryRpc =>
  alwaysShowingChanged(
    rpc,
    CLOCK_SYSVAR,
    (data) => void data.writeBigInt64LE(data.readBigInt64LE(32) + seconds, 32),
  )
