import { once } from 'node:events'
import { WebSocket } from 'ws'
import { type Endpoints, call } from './client.ts'
import type { Witness } from './witness.ts'

interface Notification {
  readonly method?: string
  readonly params?: { readonly result: unknown }
}

/**
 * Subscribes to the slots and to a receiving account's logs and changes, polls over HTTP, and passes all results to the
 * witness. The watch ends when the chain's process ends or when `stop` is called.
 */
export async function watchChain(endpoints: Endpoints, receiver: string, witness: Witness) {
  const socket = new WebSocket(endpoints.wsUrl)
  socket.on('error', () => undefined)
  await once(socket, 'open')
  const subscribe = (method: string, params: unknown[]) =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  for (const commitment of ['processed', 'confirmed', 'finalized']) {
    subscribe('logsSubscribe', [{ mentions: [receiver] }, { commitment }])
    subscribe('accountSubscribe', [receiver, { commitment, encoding: 'base64' }])
  }
  subscribe('slotSubscribe', [])
  socket.on('message', (data) => hear(JSON.parse(String(data)) as Notification, receiver, witness))
  let isOver = false
  const asking = (async () => {
    while (!isOver) await ask(endpoints, receiver, witness)
    // The chain was killed during a request.
  })().catch(() => undefined)
  return {
    async stop(): Promise<void> {
      isOver = true
      socket.terminate()
      await asking
    },
  }
}

function hear({ method, params }: Notification, receiver: string, witness: Witness): void {
  const result = params?.result as {
    context: { slot: number }
    value: { signature: string; err: unknown; lamports: number }
    slot: number
  }
  if (method === 'slotNotification') witness.sawSlot(result.slot)
  if (method === 'accountNotification') witness.sawLamports(receiver, result.value.lamports)
  if (method === 'logsNotification') {
    witness.sawLanded(result.value.signature, result.context.slot, result.value.err)
  }
}

/** One round of requests. Answers at `processed` must also survive a kill. */
async function ask(endpoints: Endpoints, receiver: string, witness: Witness): Promise<void> {
  const commitment = 'processed'
  const balance = (await call(endpoints, 'getBalance', [receiver, { commitment }])) as {
    context: { slot: number }
    value: number
  }
  witness.sawLamports(receiver, balance.value)
  witness.sawSlot(balance.context.slot)
  const config = { commitment: 'confirmed', limit: 5 }
  const found = (await call(endpoints, 'getSignaturesForAddress', [receiver, config])) as {
    signature: string
    slot: number
    err: unknown
  }[]
  for (const { signature, slot, err } of found) {
    witness.sawLanded(signature, slot, err)
    const read = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
    witness.sawRecord(signature, await call(endpoints, 'getTransaction', [signature, read]))
  }
}
