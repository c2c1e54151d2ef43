import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeTicket, unixSeconds, decodeTicket, type Address } from '@sotto/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileTickets } from '../../node.ts'
import { memoryTickets, signAndSubmit, TicketHeldError, type TicketStore } from '../../wallet.ts'
import { seal } from '../verify/verified-order.ts'

const SOL = 'So11111111111111111111111111111111111111112' as Address
const WALLET = 'SysvarC1ock11111111111111111111111111111111' as Address

const orderId = new Uint8Array(16).fill(7)
const trackingId = `tr_${Buffer.from(orderId).toString('base64url')}`

function ticketOf(nk: bigint, amountOut: bigint): string {
  const amounts = { value: amountOut as never, amountOut: amountOut as never }
  return encodeTicket({
    ...{ program: SOL, orderId },
    note: {
      ...{ nk, sender: WALLET, mint: SOL, value: amounts.value },
      claim: { kind: 'transfer', recipient: WALLET, amountOut: amounts.amountOut },
      ...{ deadline: unixSeconds(1_800_000_000n), expiry: unixSeconds(1_800_086_400n) },
    },
  })
}

const FIRST = ticketOf(2n ** 200n + 12_345n, 1_000n)
const OTHER = ticketOf(2n ** 201n + 999n, 5n)

const orderWith = (recovery: string) =>
  seal({
    ...{ trackingId, recovery, ticket: decodeTicket(recovery), terms: { sender: WALLET } },
    ...{ message: new Uint8Array(), blockhash: 'x', lastValidBlockHeight: 1n },
  } as never)

let folder: string
const signer = { address: WALLET, signWire: async (wire: Uint8Array) => wire }
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-tickets-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A caller's own store, which replaces tickets. */
function replacing(): TicketStore {
  const kept = new Map<string, string>()
  return {
    save: async (id, ticket) => void kept.set(id, ticket),
    read: async (id) => kept.get(id),
    remove: async (id) => void kept.delete(id),
    list: async () => [...kept.keys()],
  }
}

const stores: [string, () => TicketStore][] = [
  ['memory', memoryTickets],
  ['files', () => fileTickets(folder)],
]

describe.each([...stores, ['a store that replaces tickets', replacing]] as typeof stores)(
  'signAndSubmit with %s',
  (_name, open) => {
    it.each([undefined, 'transfer-1'])(
      'refuses an order that has an earlier order’s id but another ticket (transfer id: %s)',
      async (transferId) => {
        const tickets = open()
        await tickets.save(trackingId, FIRST, transferId)
        const paid = signAndSubmit(orderWith(OTHER), { signer, rpc: {} as never, tickets })
        await expect(paid).rejects.toMatchObject({ refusals: [{ code: 'known_order' }] })
        expect(await tickets.read(trackingId)).toBe(FIRST)
      },
    )
  },
)

describe.each(stores)('a ticket store of %s', (_name, open) => {
  it.each([undefined, 'transfer-1'])(
    'refuses to replace a saved ticket (transfer id: %s)',
    async (transferId) => {
      const tickets = open()
      await tickets.save(trackingId, FIRST, transferId)
      await tickets.save(trackingId, FIRST, transferId)
      for (const id of [undefined, 'transfer-1']) {
        await expect(tickets.save(trackingId, OTHER, id)).rejects.toThrow(TicketHeldError)
      }
      expect(await tickets.read(trackingId)).toBe(FIRST)
    },
  )
})
