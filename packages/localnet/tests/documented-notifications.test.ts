import { once } from 'node:events'
import { getBase64EncodedWireTransaction } from '@solana/kit'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { subscriptionKinds } from '../src/subscriptions/subscription-kinds.ts'
import { signTransfer } from './client.ts'
import { notificationShapes } from './shapes/notifications.ts'
import { startStillChain } from './still-chain.ts'

const SYSTEM_PROGRAM = '11111111111111111111111111111111'
const idOf = z.strictObject({ jsonrpc: z.literal('2.0'), result: z.number(), id: z.number() })

test('every kind of subscription notifies in its documented shape', async () => {
  const chain = await startStillChain()
  const payer = await chain.fund()
  const { transaction, signature } = await signTransfer(chain.rpc, payer, payer.address, 1n)
  const socket = new WebSocket(chain.endpoints.wsUrl)
  await once(socket, 'open')
  const heard: unknown[] = []
  socket.on('message', (data) => heard.push(JSON.parse(String(data))))
  const commitment = 'confirmed'
  const subscriptions = {
    account: [payer.address, { commitment, encoding: 'base64' }],
    logs: [{ mentions: [payer.address] }, { commitment }],
    program: [SYSTEM_PROGRAM, { commitment, encoding: 'base64' }],
    root: [],
    signature: [signature, { commitment }],
    slot: [],
  }
  expect(Object.keys(subscriptions)).toEqual(subscriptionKinds.map(({ name }) => name))
  expect(Object.keys(subscriptions)).toEqual(Object.keys(notificationShapes))
  Object.entries(subscriptions).forEach(([kind, params], id) => {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: `${kind}Subscribe`, params }))
  })
  await until(() => heard.length === 6)
  for (const answer of heard.splice(0)) idOf.parse(answer)
  const wire = getBase64EncodedWireTransaction(transaction)
  await chain.rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send()
  await chain.pass(2)
  const methodOf = (message: unknown) => (message as { method: string }).method
  await until(() => new Set(heard.map(methodOf)).size === 6)
  for (const message of heard) {
    const kind = methodOf(message).replace('Notification', '') as keyof typeof notificationShapes
    const result = notificationShapes[kind].safeParse(message)
    expect(result.error && z.prettifyError(result.error), JSON.stringify(message)).toBeUndefined()
  }
  socket.terminate()
})

/**
 * Waits until the condition is true, without a time limit. If a message never arrives, vitest's own limit ends the
 * test.
 */
async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 5))
}
