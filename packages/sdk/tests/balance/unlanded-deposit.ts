import { readChainHead } from '../../../server/src/adapters/chain/transfer/read-chain-head.ts'
import type { HttpStack } from '../../../server/tests/http/http-stack.ts'
import { solSend } from '../../../server/tests/http/partner-client.ts'
import { systemHost } from '../../src/host/host.ts'
import { clientOf } from '../attacks/honest-order.ts'
import { Crash } from './crashing.ts'

/**
 * Advances the chain's clock, and waits until the service uses the new time, because the service caches the clock's
 * time.
 */
export async function advance(stack: HttpStack, seconds: number): Promise<void> {
  const { unixSeconds: before } = await readChainHead(stack.rpc)
  await stack.localnet.local('localnet_advanceTime', [seconds])
  const client = clientOf(stack)
  const request = solSend(stack)
  for (;;) {
    const { quote } = await client.quote(request)
    const { senderAddress, recipientAddress } = request
    const { expiration } = await client.createOrder({ quote, senderAddress, recipientAddress })
    if (BigInt(Date.parse(expiration)) / 1_000n > before + BigInt(seconds)) return
    await systemHost.sleep(100)
  }
}

/**
 * Wraps a node so that its caller crashes when the caller sends a transaction. The transaction reaches the node before
 * the crash if `isSent` is true, and otherwise never.
 */
export function cutAtSend({ rpc }: HttpStack, isSent: boolean) {
  const end = new AbortController()
  const cut = new Proxy(rpc, {
    get: (object, key) => {
      const method = Reflect.get(object, key) as (...args: unknown[]) => { send: () => unknown }
      if (key !== 'sendTransaction') return method
      return (...args: unknown[]) => ({
        send: async () => {
          if (isSent) await method.call(object, ...args).send()
          end.abort(new Crash('cut'))
          throw new Crash('cut')
        },
      })
    },
  })
  return { rpc: cut, signal: end.signal }
}
