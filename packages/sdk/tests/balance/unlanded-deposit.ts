import { readChainHead } from '../../../server/src/adapters/chain/transfer/read-chain-head.ts'
import type { HttpStack } from '../../../server/tests/http/http-stack.ts'
import { solSend } from '../../../server/tests/http/partner-client.ts'
import { systemHost } from '../../src/host/host.ts'
import { clientOf } from '../attacks/honest-order.ts'
import { Crash } from './crashing.ts'

/** Moves the chain's clock, and waits until the service has noticed, because it caches the clock for a while. */
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

/** A node whose caller crashes as soon as it sends a transaction. The transaction lands only if `isSent`. */
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
