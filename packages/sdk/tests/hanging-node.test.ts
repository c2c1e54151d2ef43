import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSolanaRpc, type Address } from '@solana/kit'
import { amount, encodeTicket, unixSeconds } from '@sotto/protocol'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSottoClient } from '../server.ts'
import { memoryTickets, transfer, type TransferState } from '../wallet.ts'

const SOL = 'So11111111111111111111111111111111111111112' as Address

let node: Server
let url: string

/** A server that accepts every request and never responds. */
beforeEach(async () => {
  node = createServer(() => undefined)
  node.listen(0, '127.0.0.1')
  await once(node, 'listening')
  url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
})
afterEach(() => {
  node.closeAllConnections()
  node.close()
})

const order = {
  recovery: encodeTicket({
    ...{ program: SOL, orderId: new Uint8Array(16) },
    note: {
      ...{ nk: 5n, sender: SOL, mint: SOL, value: amount(1n) },
      claim: { kind: 'transfer', recipient: SOL, amountOut: amount(1n) },
      ...{ deadline: unixSeconds(1_800_000_000n), expiry: unixSeconds(1_800_003_600n) },
    },
  }),
  trackingId: `tr_${'A'.repeat(22)}`,
  expiration: '2026-01-01T00:00:00.000Z',
  deliverBy: '2026-01-01T01:00:00.000Z',
}

it.each(['ordered', 'signing', 'submitting', 'unwinding'] as const)(
  'a transfer at %s ends when its caller aborts, even if the node never answers',
  async (step) => {
    const controller = new AbortController()
    const request = { amount: '1', sourceAssetId: SOL, destinationAssetId: SOL }
    const sides = { senderAddress: SOL, recipientAddress: SOL }
    const state = { step, request: { ...request, ...sides }, order, deadAfter: '1', wire: null }
    const running = transfer({
      state: state as unknown as TransferState,
      save: async () => undefined,
      service: createSottoClient({ baseUrl: url, apiKey: 'none', attempts: 1 }),
      rpc: createSolanaRpc(url),
      programId: SOL,
      signer: { address: SOL, signWire: async (wire) => wire },
      acceptedPrograms: [],
      approve: () => true,
      tickets: memoryTickets(),
      signal: controller.signal,
    })
    await Promise.race([once(node, 'request'), running])
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  },
)
