import type { Order } from '@sotto/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from '../http/http-stack.ts'
import { placed, send, solSend } from '../http/partner-client.ts'
import { startApi, type StartedApi } from '../http/start-api.ts'

let stack: HttpStack
let api: StartedApi
let isLying = false
beforeAll(async () => {
  stack = await startHttpStack()
  const rpc = new Proxy(stack.rpc, {
    get: (target, name) => {
      if (name !== 'getLatestBlockhash') return Reflect.get(target, name) as unknown
      return (...of: []) => ({
        send: async () => {
          const answer = await (
            target.getLatestBlockhash as never as (...of: unknown[]) => {
              send: () => Promise<{ value: { lastValidBlockHeight: bigint } }>
            }
          )(...of).send()
          if (!isLying) return answer
          return {
            ...answer,
            value: {
              ...answer.value,
              lastValidBlockHeight: answer.value.lastValidBlockHeight + 1_000_000_000n,
            },
          }
        },
      })
    },
  })
  api = await startApi({ ...stack, rpc }, stack.settings)
})
afterAll(async () => {
  await api.stop()
  await stack.close()
})

it('one false answer of a node does not make a dead transaction look alive for ever', async () => {
  const by = { ...stack, baseUrl: api.baseUrl }
  isLying = true
  const made = (await placed(by, solSend(by))).order as Order
  isLying = false
  const height = await stack.rpc.getBlockHeight({ commitment: 'confirmed' }).send()
  console.log('HEIGHT', height, made.lastValidBlockHeight, made.blockhashExpiresAtSlot)
  // The chain is 10,000 blocks further, so no blockhash of the order's time is valid any more.
  await stack.database
    .query(
      'UPDATE chain_cursor SET slot = $1, block_height = $1, unix_seconds = 1, updated_at = now()',
      [`${height + 10_000n}`],
    )
    .catch((error: unknown) => console.log(String(error)))
  const status = await send(by, 'GET', `/transfer/v1/status/${made.trackingId}`)
  console.log(status.body['order'])
  expect(made.lastValidBlockHeight - Number(height)).toBeLessThan(1_000)
})
