import { memoryTickets, OrderRefusedError, type TransferState } from '@sotto/sdk/wallet'
import { describe, expect, it } from 'vitest'
import { dropUnsigned } from './needed-tickets.ts'

const ID = `tr_${'A'.repeat(22)}`
const at = (step: string) =>
  ({ step, transferId: 'own', order: { trackingId: ID, recovery: 'ticket' } }) as TransferState
const offline = new Error('offline')
const known = new OrderRefusedError([{ code: 'known_order', message: 'known' }])

async function leftAfter(
  holder: string | undefined,
  step: string,
  error: unknown,
  text = 'ticket',
) {
  const tickets = memoryTickets()
  await tickets.save(ID, text, holder)
  await dropUnsigned(tickets, at(step), error)
  return tickets.list()
}

describe('the ticket of an order', () => {
  it('is removed if the transfer ended before the wallet was asked', async () => {
    expect(await leftAfter('own', 'ordered', offline)).toEqual([])
  })

  it.each(['signing', 'submitting', 'refreshing', 'unwinding', 'deposited'])(
    'is kept if the order may have been signed (%s)',
    async (step) => {
      expect(await leftAfter('own', step, offline)).toEqual([ID])
    },
  )

  it('is kept if the order was refused as known, because another transfer may have paid it', async () => {
    expect(await leftAfter('own', 'ordered', known)).toEqual([ID])
  })

  it('is kept if another transfer saved it, or if the store has another ticket for the order', async () => {
    expect(await leftAfter('other', 'ordered', offline)).toEqual([ID])
    expect(await leftAfter('own', 'ordered', offline, 'another ticket')).toEqual([ID])
  })
})
