import { CLOCK_SYSVAR } from '@sotto/protocol'
import type { RecoveryRpc } from '../../../recovery/index.ts'

/** Byte offset of the time in the clock's account. */
const TIME_AT = 32
const DAY = 86_400n

type Value = { readonly data: readonly [string, string] } | null

/**
 * A node that lies about the clock if `isLying` returns true: the clock is a day ahead, and the node doesn't show the
 * account that is read together with the clock and the Pool.
 */
export function lyingNode(rpc: RecoveryRpc, isLying: () => boolean): RecoveryRpc {
  const getMultipleAccounts = (addresses: readonly string[], ...more: never[]) => ({
    send: async () => {
      const shown = (await rpc.getMultipleAccounts(addresses as never, ...more).send()) as {
        readonly value: readonly Value[]
      }
      const [clock] = shown.value
      if (addresses[0] !== CLOCK_SYSVAR || !clock || !isLying()) return shown
      const data = Buffer.from(clock.data[0], 'base64')
      data.writeBigInt64LE(data.readBigInt64LE(TIME_AT) + DAY, TIME_AT)
      const late = { ...clock, data: [data.toString('base64'), 'base64'] }
      return { ...shown, value: [late, null, ...shown.value.slice(2)] }
    },
  })
  return new Proxy(rpc, {
    get: (whole, key) =>
      key === 'getMultipleAccounts' ? getMultipleAccounts : (Reflect.get(whole, key) as unknown),
  })
}
