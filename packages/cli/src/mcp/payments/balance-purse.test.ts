import {
  amount,
  encodeTicket,
  NATIVE_MINT,
  ownerOf,
  unixSeconds,
  type Address,
  type Ticket,
} from '@sotto/protocol'
import { memoryBalance, openBalance, storedBalance, type BalanceService } from '@sotto/sdk/balance'
import { expect, it } from 'vitest'
import { lost } from '../../../tests/mcp/test-desk.ts'
import { BalancePurse } from './balance-purse.ts'

const PROGRAM = 'SysvarRent111111111111111111111111111111111' as Address
const SENDER = 'SysvarC1ock11111111111111111111111111111111' as Address
const SECRET = 77n
const ticket: Ticket = {
  program: PROGRAM,
  orderId: new Uint8Array(16).fill(0xab),
  secret: SECRET,
  note: {
    ...{ mint: NATIVE_MINT, sender: SENDER, value: amount(1_234n), nk: 5n },
    ...{ deadline: unixSeconds(1_800_000_000n), expiry: unixSeconds(1_800_086_400n) },
    claim: { kind: 'balance', owner: ownerOf(SECRET) },
  },
}
const TEXT = JSON.stringify({
  ...{ version: 1, secret: '4d', topUp: null, leafIndex: '0', payments: {} },
  ticket: encodeTicket(ticket),
})
const order = { key: 'invoice', to: SENDER, amount: amount(10n) }

/**
 * A purse over a store, with a node and a service that never answer, except to requests for quotes if `quote` is given.
 * `calls` counts the requests to them.
 */
async function purseOf(text: string, quote?: () => Promise<object>) {
  const calls = { count: 0 }
  const fail = () => {
    calls.count += 1
    return lost()
  }
  const method = () => ({ send: fail })
  const rpc = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : method) })
  const service = { quote: quote ?? fail, orderPayment: fail, signPayment: fail } as unknown
  const store = memoryBalance(text)
  const balance = await openBalance({
    ...{ service: service as BalanceService, rpc: rpc as never, programId: PROGRAM, store },
    ...{ approve: () => true, acceptedPrograms: [] },
  })
  const { signal } = new AbortController()
  const purse = new BalancePurse(balance, store, service as BalanceService, { most: null }, signal)
  return { purse, store, calls }
}

it('marks a payment in the store before it asks the node or the service', async () => {
  const { purse, store, calls } = await purseOf(TEXT)
  const seen: unknown[] = []
  const begin = async () => {
    const marks = (await storedBalance(store))?.marks
    seen.push(marks?.get('agent:invoice'), calls.count)
  }
  await expect(purse.pay(order, amount(20n), { id: 'first', begin })).rejects.toThrow()
  expect(seen).toEqual(['first', 0])
  expect(calls.count).toBeGreaterThan(0)
})

it('does not make a payment if `begin` fails', async () => {
  const { purse, calls } = await purseOf(TEXT)
  const begin = () => Promise.reject(new Error('the disk is full'))
  const paid = purse.pay(order, amount(20n), { id: 'first', begin })
  await expect(paid).rejects.toThrow('the disk is full')
  expect(calls.count).toBe(0)
})

it('knows how an attempt ended only if the store has the mark of that attempt', async () => {
  const { purse, store } = await purseOf(TEXT)
  const begin = async () => undefined
  await expect(purse.pay(order, amount(20n), { id: 'first', begin })).rejects.toThrow()
  const backup = (await store.read())!
  expect(await purse.outcome('invoice', 'first')).toBe('unsigned')
  await expect(purse.pay(order, amount(20n), { id: 'second', begin })).rejects.toThrow()
  expect(await purse.outcome('invoice', 'second')).toBe('unsigned')

  const older = await purseOf(backup)
  expect(await older.purse.outcome('invoice', 'second')).toBe('unknown')
  const restored = await purseOf(TEXT)
  expect(await restored.purse.outcome('invoice', 'first')).toBe('unknown')
})

it('reports an unknown outcome if the SDK dropped a signature because of the answer of one node, which may lie', async () => {
  const { purse, store } = await purseOf(TEXT)
  const begin = async () => undefined
  await expect(purse.pay(order, amount(20n), { id: 'first', begin })).rejects.toThrow()
  const before = (await store.read())!
  const lapsed = ['one:agent:invoice']
  await store.write(JSON.stringify({ ...JSON.parse(before), lapsed }), before)
  expect(await purse.outcome('invoice', 'first')).toBe('unknown')
})

it.each(['signed', 'paid'] as const)(
  'knows the outcome of a %s payment without a mark',
  async (step) => {
    const request = { to: SENDER, amount: '10' }
    const paid = { trackingId: 'x', payout: '10', fee: '1', signature: null }
    const saved = { request, step, paid, trackingId: 'x', terms: {} }
    const { purse, store } = await purseOf(TEXT)
    // Opening a balance would wait for the end of a signed payment, so the payment is written afterwards.
    const before = await store.read()
    const payments = { 'one:agent:invoice': saved }
    await store.write(JSON.stringify({ ...JSON.parse(TEXT), payments }), before)
    expect(await purse.outcome('invoice', 'any')).toBe(step)
  },
)

it('recognises an equal payment that its store has no record of', async () => {
  const unrecorded = [{ to: SENDER, payout: '10', signature: null }]
  const { purse } = await purseOf(JSON.stringify({ ...JSON.parse(TEXT), unrecorded }))
  expect(await purse.mayBePaid(order)).toBe(true)
  expect(await purse.mayBePaid({ ...order, amount: amount(11n) })).toBe(false)
  expect(await purse.mayBePaid({ ...order, to: PROGRAM })).toBe(false)
})

it('reads only suggested amounts near the requested amount, and at most four', async () => {
  const suggestions = ['4', '5', '7', '8', '19', '20', '21', '20', '100'].map((amountOut) => ({
    ...{ amountOut, amount: amountOut, anonymitySet: 3 },
  }))
  const quote = { amountIn: '12', amountOut: '10' }
  const { purse } = await purseOf(TEXT, async () => ({ quote, suggestions }))
  const { suggestions: read } = await purse.quote(SENDER, amount(10n))
  expect(read.map((one) => one.amount)).toEqual([5n, 7n, 8n, 19n])
})
