import { decodeTicket, encodeTicket, NATIVE_MINT, ownerOf, type Ticket } from '@sotto/protocol'
import type { KeyPairSigner } from '@solana/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readChainHead } from '../../server/src/adapters/chain/transfer/read-chain-head.ts'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import {
  memoryBalance,
  openBalance,
  storedBalance,
  type BalanceStore,
  type OpenBalanceOptions,
} from '../balance.ts'
import { Crash, crashingAt } from './balance/crashing.ts'
import { countOrders } from '../../server/tests/http/partner-client.ts'
import { fundedSigner, optionsOf } from './transfer/paying.ts'

const AMOUNT = 500_000_000n
/** The order's deadline is 30 to 40 minutes after the order, so this many seconds later it is near. */
const LATE_SECONDS = 1_500

let stack: HttpStack
let base: Awaited<ReturnType<typeof optionsOf>>
beforeAll(async () => {
  stack = await startHttpStack()
  base = await optionsOf(stack)
})
afterAll(() => stack.close())

async function newBalance(store: BalanceStore): Promise<OpenBalanceOptions> {
  const signer = await fundedSigner(stack, 2_000_000_000)
  const topUp = { senderAddress: signer.address, assetId: NATIVE_MINT, amount: `${AMOUNT}` }
  return { ...base, store, signer, topUp }
}

describe('openBalance', () => {
  it('opens a balance with one deposit of the wallet', async () => {
    const options = await newBalance(memoryBalance())
    const balance = await openBalance(options)
    const { note, secret } = decodeTicket(balance.ticket, ownerOf)
    expect(note).toMatchObject({ value: AMOUNT, sender: options.topUp?.senderAddress })
    expect(note.claim).toEqual({ kind: 'balance', owner: ownerOf(secret!) })
    expect(await balance.state()).toMatchObject({ status: 'open', value: AMOUNT })
    // An existing balance needs only its store. It needs neither the wallet nor the top-up's terms.
    const { topUp: _topUp, signer: _signer, ...known } = options
    expect((await openBalance(known)).ticket).toBe(balance.ticket)
  })

  it('counts the hour in which a payment’s time shows the top-up from the deposit, not from the order', async () => {
    const store = memoryBalance()
    const options = await newBalance(store)
    let isFirst = true
    const keep = async () => {
      if (isFirst) await stack.localnet.local('localnet_advanceTime', [LATE_SECONDS])
      isFirst = false
    }
    const ticket = (await openBalance({ ...options, keep })).ticket
    const { unixSeconds: now } = await readChainHead(stack.rpc)
    const { deadline } = decodeTicket(ticket, ownerOf).note
    const { linkableUntil } = (await storedBalance(store))!
    expect(deadline).toBeLessThan(now + 1_200n)
    expect(linkableUntil! - now).toBeGreaterThan(3_540n)
    expect(linkableUntil! - now).toBeLessThanOrEqual(3_600n)
  })

  it('asks for the signature only after `keep` has saved the ticket', async () => {
    const options = await newBalance(memoryBalance())
    const real = options.signer as KeyPairSigner
    let isSigned = false
    const signTransactions: KeyPairSigner['signTransactions'] = (transactions) => {
      isSigned = true
      return real.signTransactions(transactions)
    }
    const signer = { ...real, signTransactions }
    const tickets: string[] = []
    const refuse = () => {
      throw new Error('the disk is full')
    }
    await expect(openBalance({ ...options, signer, keep: refuse })).rejects.toThrow('the disk')
    expect(isSigned).toBe(false)
    const keep = (ticket: string) => {
      expect(isSigned).toBe(false)
      tickets.push(ticket)
    }
    const balance = await openBalance({ ...options, signer, keep })
    expect(isSigned).toBe(true)
    expect(new Set(tickets)).toEqual(new Set([balance.ticket]))
  })

  it('makes only one deposit even if the process ends at any point', async () => {
    let points = 0
    for (let point = 1; ; point += 3) {
      const store = memoryBalance()
      const options = await newBalance(store)
      const before = await countOrders(stack)
      const crashing = crashingAt(point, options)
      const ended = await openBalance(crashing.options).catch((error: unknown) => error)
      const balance = await openBalance(options)
      expect((await balance.state()).value, crashing.passed.last).toBe(AMOUNT)
      expect((await countOrders(stack)) - before, crashing.passed.last).toBe(1)
      if (!(ended instanceof Crash)) break
      points += 1
    }
    expect(points).toBeGreaterThan(5)
  })
})

describe('an order that does not open the requested balance', () => {
  const { x, y } = ownerOf(99n)
  const attacks: [string, (ticket: Ticket) => Ticket][] = [
    [
      'the balance of another owner',
      (ticket) => ({
        ...ticket,
        note: { ...ticket.note, claim: { kind: 'balance', owner: { x, y } } },
      }),
    ],
    [
      'a transfer',
      (ticket) => {
        const { sender: recipient, value: amountOut } = ticket.note
        const claim = { kind: 'transfer', recipient, amountOut } as const
        return { ...ticket, note: { ...ticket.note, claim } }
      },
    ],
    [
      'a balance with another secret',
      (ticket) => ({ ...ticket, note: { ...ticket.note, nk: 1n } }),
    ],
  ]
  it.each(attacks)('is refused: %s', async (_name, change) => {
    const options = await newBalance(memoryBalance())
    const createOrder: typeof base.service.createOrder = async (terms) => {
      const order = await base.service.createOrder(terms)
      return { ...order, recovery: encodeTicket(change(decodeTicket(order.recovery))) }
    }
    const opened = openBalance({ ...options, service: { ...base.service, createOrder } })
    await expect(opened).rejects.toMatchObject({ name: 'OrderRefusedError' })
  })

  it('is refused if the balance ends at another time than requested', async () => {
    const options = await newBalance(memoryBalance())
    const createOrder: typeof base.service.createOrder = (terms) =>
      base.service.createOrder({ ...terms, balanceSeconds: undefined })
    const quote: typeof base.service.quote = ({ balanceSeconds: _seconds, ...request }) =>
      base.service.quote(request)
    const asked = { ...options, topUp: { ...options.topUp!, balanceSeconds: 86_400 } }
    const opened = openBalance({ ...asked, service: { ...base.service, createOrder, quote } })
    await expect(opened).rejects.toMatchObject({
      refusals: expect.arrayContaining([expect.objectContaining({ code: 'expiry' })]) as object,
    })
  })
})
