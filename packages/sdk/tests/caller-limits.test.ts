import type { Order, QuoteRequest } from '@sotto/contract'
import { amount, decodeTicket, orderAddress } from '@sotto/protocol'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { solSend } from '../../server/tests/http/partner-client.ts'
import { PROGRAM } from '../../server/tests/settlement/stack/localnet-process.ts'
import { waitUntil } from '../../server/tests/settlement/stack/stack.ts'
import type { OrderTerms } from '../server.ts'
import {
  askedFor,
  memoryTickets,
  minOutOf,
  signAndSubmit,
  signOrder,
  submitOrder,
  transfer,
  verifyOrder,
  type OrderToVerify,
  type RefusalCode,
} from '../wallet.ts'
import { forgeInner, forgeTicket, forgeTransaction } from './attacks/forge.ts'
import {
  clientOf,
  inputOf,
  placeHonestOrder,
  placeHonestOrders,
  type HonestOrder,
} from './attacks/honest-order.ts'
import { carelessWallet } from './attacks/refusals-of.ts'
import { openBooks, optionsOf } from './transfer/paying.ts'

let stack: HttpStack
let orders: ReadonlyMap<string, HonestOrder>

beforeAll(async () => {
  stack = await startHttpStack()
  orders = await placeHonestOrders(stack)
})
afterAll(() => stack?.close())

const send = () => orders.get('a send of SOL')!
const swap = () => orders.get('a swap of SOL for USDC')!

async function expectRefused(input: OrderToVerify, code: RefusalCode, message = /./) {
  const found = expect.objectContaining({ code, message: expect.stringMatching(message) })
  const refusals = expect.arrayContaining([found])
  await expect(verifyOrder(input)).rejects.toMatchObject({ name: 'OrderRefusedError', refusals })
}

/**
 * Refreshes the order until its transaction has another blockhash. As long as the chain's blockhash stays the same, a
 * refresh returns the same transaction.
 */
async function refreshWithNewBlockhash({ order }: HonestOrder): Promise<Order> {
  let newest = order
  await waitUntil(async () => {
    newest = await clientOf(stack).refresh(order.trackingId)
    return newest.transaction !== order.transaction
  })
  return newest
}

describe('a refreshed order', () => {
  it('is not accepted if it is a different order', async () => {
    const first = await placeHonestOrder(stack, PROGRAM, solSend(stack))
    const other = await placeHonestOrder(stack, PROGRAM, solSend(stack))
    await expectRefused({ ...inputOf(other), refreshed: first.order }, 'refreshed')
    const unsaid = { ...inputOf(other), refreshed: undefined } as unknown as OrderToVerify
    await expectRefused(unsaid, 'refreshed', /set refreshed to null for a new order/)
  })

  it('can be signed in addition to the original, but only one of the two lands', async () => {
    const honest = await placeHonestOrder(stack, PROGRAM, solSend(stack))
    const sender = await createKeyPairSignerFromBytes(new Uint8Array(stack.sender.keypair))
    const newest = await refreshWithNewBlockhash(honest)
    const signed = async (order: Order, refreshed: Order | null) => {
      const verified = await verifyOrder({ ...inputOf(honest), order, refreshed })
      const { wire } = await signOrder(verified, sender)
      return wire!
    }
    const books = await openBooks(stack)
    const wires = [await signed(honest.order, null), await signed(newest, honest.order)]
    expect(wires[0]).not.toEqual(wires[1])
    await submitOrder(stack.rpc, wires[0]!)
    const account = await orderAddress(PROGRAM, decodeTicket(honest.order.recovery).orderId)
    const isThere = async () => (await stack.rpc.getAccountInfo(account).send()).value !== null
    await expect.poll(isThere).toBe(true)
    await expect(submitOrder(stack.rpc, wires[1]!)).rejects.toThrow()
    const amountIn = BigInt(honest.quote.amountIn)
    expect(await books.spent()).toBeLessThan(2n * amountIn)
    expect(await books.spent()).toBeGreaterThan(amountIn)
  })
})

/** A swap's order from a service that pays out one base unit. All statements of the service agree with this payout. */
async function worthless(honest: HonestOrder): Promise<OrderToVerify> {
  const terms = { inner: forgeInner(honest, { amountOut: amount(1n) }) }
  const transaction = await forgeTransaction(honest, { terms })
  const recovery = forgeTicket(honest, { amountOut: amount(1n) })
  const said = { amountOut: '1' }
  return {
    ...inputOf(honest),
    order: { ...honest.order, ...said, transaction, recovery },
    quote: { ...honest.quote, ...said },
  }
}

describe('a swap', () => {
  it('is refused before it is quoted if its output is fixed', async () => {
    const base = await optionsOf(stack)
    const { usdc } = stack
    const fixed = { amount: '1000000', mode: 'exact_out', destinationAssetId: usdc } as const
    const request = { ...solSend(stack, fixed), minOut: '1000000' }
    // At this price, the sender would pay all of the wallet's money for one USDC. This is how a service would respond
    // if it wrongly accepted the mode.
    const { amountIn: _, ...quote } = { ...swap().quote, ...fixed, amountOut: '1000000' }
    let isAsked = false
    const service = {
      ...base.service,
      quote: async () => {
        isAsked = true
        return { quote: { ...quote, amountIn: '900000000000' } } as never
      },
    }
    const running = transfer({ ...base, service, state: askedFor(request), save: async () => {} })
    await expect(running).rejects.toMatchObject({
      name: 'OrderRefusedError',
      refusals: [expect.objectContaining({ code: 'min_out' })],
    })
    expect(isAsked).toBe(false)
  })

  it("is refused if its minimum was copied from the service's quote", async () => {
    const input = await worthless(swap())
    // The mistake under test: the caller copies the minimum amount from the service's quote.
    const copied = { ...swap().expected, amountOut: 1n }
    await expectRefused({ ...input, expected: copied }, 'min_out')
    await expectRefused(
      { ...input, expected: { ...copied, minOut: undefined } },
      'min_out',
      /minOutOf/,
    )
    await expectRefused({ ...input, expected: { ...copied, minOut: 0n } }, 'min_out')
    // Everything else is valid, so only the minimum can reveal the attack.
    const verified = await verifyOrder({ ...input, expected: { ...copied, minOut: 1n } })
    expect(verified.delivery.amountOut).toBe(1n)
  })

  it('is refused if it pays one base unit less than the minimum', async () => {
    const { expected } = swap()
    await verifyOrder(inputOf(swap()))
    const minOut = expected.amountOut + 1n
    await expectRefused({ ...inputOf(swap()), expected: { ...expected, minOut } }, 'min_out')
  })

  it('is not quoted without a minimum, and not ordered below the minimum', async () => {
    const options = await optionsOf(stack)
    const books = await openBooks(stack)
    const calls: string[] = []
    const service = {
      ...options.service,
      quote: async (request: Parameters<typeof options.service.quote>[0]) => {
        calls.push('quote')
        const quoted = await options.service.quote(request)
        return { ...quoted, quote: { ...quoted.quote, amountOut: '1' } }
      },
    }
    const request = solSend(stack, { destinationAssetId: stack.usdc })
    const run = (more: object) => {
      const state = askedFor({ ...request, ...more })
      const save = async () => undefined
      return transfer({ ...options, service, save, state, tickets: memoryTickets() })
    }
    const refused = { name: 'OrderRefusedError', refusals: [{ code: 'min_out' }] }
    for (const minOut of [undefined, '0', '1.5', '-1', '']) {
      await expect(run({ ...(minOut === undefined ? {} : { minOut }) })).rejects.toMatchObject(
        refused,
      )
    }
    expect(calls).toEqual([])
    await expect(run({ minOut: '2' })).rejects.toMatchObject({ name: 'QuoteDeclinedError' })
    expect([calls, await books.ordersMade(), await books.spent()]).toEqual([['quote'], 0, 0n])
  })

  it('has a minimum that is computed from the caller’s own price, rounded up', () => {
    const price = { source: 1_000_000_000n, destination: 149_550_000n }
    expect(minOutOf(2_000_000_000n, price, 0)).toBe(299_100_000n)
    expect(minOutOf(2_000_000_000n, price, 100)).toBe(296_109_000n)
    expect(minOutOf(1n, price, 0)).toBe(1n)
    for (const slippage of [-1, 0.5, 10_000, Number.NaN]) {
      expect(() => minOutOf(1n, price, slippage)).toThrow(RangeError)
    }
    expect(() => minOutOf(1n, { ...price, source: 0n }, 0)).toThrow(RangeError)
    expect(() => minOutOf(1n, { ...price, destination: -1n }, 0)).toThrow(RangeError)
  })
})

it('a partner’s share without a wallet is refused before an order is made', async () => {
  const base = await optionsOf(stack)
  const books = await openBooks(stack)
  // A service that wants to keep the share quotes as if the caller had requested no share.
  const service = {
    ...base.service,
    quote: ({ feeBps: _, ...rest }: QuoteRequest) => base.service.quote(rest),
    createOrder: ({ feeBps: _, ...rest }: OrderTerms) => base.service.createOrder(rest),
  }
  const state = askedFor({ ...solSend(stack), feeBps: 50 })
  const running = transfer({ ...base, service, state, save: async () => {}, until: 'paid' })
  const refusals = [expect.objectContaining({ code: 'partner' })]
  await expect(running).rejects.toMatchObject({ name: 'OrderRefusedError', refusals })
  expect([await books.ordersMade(), await books.spent()]).toEqual([0, 0n])
})

describe('the program', () => {
  it('is refused if the caller does not accept its code', async () => {
    const { facts } = send()
    const input = inputOf(send())
    const program = { ...facts.program, sha256: '0'.repeat(64), isExpected: false }
    await expectRefused({ ...input, facts: { ...facts, program } }, 'program_unknown', /0{64}/)
    await verifyOrder({ ...input, acceptedPrograms: ['1', facts.program.sha256] })
    for (const acceptedPrograms of [[], ['0'.repeat(64)], undefined, facts.program.sha256]) {
      await expectRefused({ ...input, acceptedPrograms } as OrderToVerify, 'program_unknown')
    }
  })

  it('is refused on every public cluster if it has a development key', async () => {
    const genesis = {
      mainnet: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
      devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
      testnet: '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY',
    }
    for (const genesisHash of Object.values(genesis)) {
      const rpc = new Proxy(stack.rpc, {
        get: (object, key) =>
          key === 'getGenesisHash'
            ? () => ({ send: async () => genesisHash })
            : (Reflect.get(object, key) as unknown),
      })
      await expectRefused({ ...inputOf(send()), facts: undefined, rpc }, 'development_key')
    }
    const { facts } = send()
    const unknown = { ...facts, genesisHash: undefined }
    await expectRefused({ ...inputOf(send()), facts: unknown }, 'development_key')
  })

  it('is refused on a local chain if it has a development key and `isLocalChain` is not true', async () => {
    const input = { ...inputOf(send()), facts: undefined, rpc: stack.rpc }
    for (const isLocalChain of [undefined, false]) {
      await expectRefused({ ...input, isLocalChain }, 'development_key', /isLocalChain: true/)
    }
    await verifyOrder({ ...input, isLocalChain: true })
  })

  it('is accepted without a genesis hash if it has no development key', async () => {
    const { facts } = send()
    const program = { ...facts.program, hasDevelopmentKey: false }
    const real = { ...facts, program, genesisHash: undefined }
    await verifyOrder({ ...inputOf(send()), facts: real, isLocalChain: undefined })
  })
})

describe('a note secret that another order has', () => {
  it('is refused before the wallet is asked', async () => {
    const verified = await verifyOrder(inputOf(send()))
    const { nk } = verified.ticket.note
    const tickets = memoryTickets()
    await tickets.save('tr_1', 'no ticket at all')
    await tickets.save('tr_2', forgeTicket(swap(), { nk }))
    const { seen, signer } = carelessWallet(send().expected.sender)
    const paid = signAndSubmit(verified, { signer, rpc: stack.rpc, tickets })
    await expect(paid).rejects.toMatchObject({ refusals: [{ code: 'note_secret' }] })
    expect([seen.asked, await tickets.list()]).toEqual([0, ['tr_1', 'tr_2']])
    await tickets.remove('tr_2')
    await tickets.save(verified.trackingId, verified.recovery)
    // signAndSubmit asked the wallet, but the wallet returned nothing.
    await expect(signAndSubmit(verified, { signer, rpc: stack.rpc, tickets })).rejects.toThrow()
    expect(seen.asked).toBe(1)
  })

  it('is refused by `transfer`', async () => {
    const options = await optionsOf(stack)
    let other: string | undefined
    const read = async (id: string) => (id === 'tr_1' ? other : undefined)
    const tickets = { ...memoryTickets(), list: async () => ['tr_1'], read }
    const books = await openBooks(stack)
    const createOrder: typeof options.service.createOrder = async (...sent) => {
      const order = await options.service.createOrder(...sent)
      // The service gives this order the same secret as another order of the same sender.
      other = order.recovery
      return order
    }
    const run = transfer({
      ...{ ...options, tickets, service: { ...options.service, createOrder } },
      ...{ state: askedFor(solSend(stack)), save: async () => undefined },
    })
    await expect(run).rejects.toMatchObject({ refusals: [{ code: 'note_secret' }] })
    expect(await books.spent()).toBe(0n)
  })
})
