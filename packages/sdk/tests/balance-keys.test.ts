import { encodeTicket, NATIVE_MINT, amount, ownerOf, unixSeconds } from '@sotto/protocol'
import { describe, expect, it } from 'vitest'
import { Balance, memoryBalance, storedBalance } from '../balance.ts'
import { BalanceRecord } from '../src/balance/balance-state.ts'
import { Pace } from '../src/balance/pace.ts'

const SECRET = 77n
const TO = 'SysvarC1ock11111111111111111111111111111111'
const TICKET = encodeTicket({
  program: 'SysvarRent111111111111111111111111111111111' as never,
  orderId: new Uint8Array(16).fill(0xab),
  secret: SECRET,
  note: {
    ...{ mint: NATIVE_MINT, sender: TO as never, value: amount(0n), nk: 5n },
    ...{ deadline: unixSeconds(1_800_000_000n), expiry: unixSeconds(1_800_086_400n) },
    claim: { kind: 'balance', owner: ownerOf(SECRET) },
  },
})

/** A node that shows only the chain's clock. */
const rpc = {
  getMultipleAccounts: () => {
    const owner = 'Sysvar1111111111111111111111111111111111111'
    const clock = { owner, data: [Buffer.alloc(40).toString('base64'), 'base64'] }
    return { send: async () => ({ value: [clock] }) }
  },
}

/** An empty balance with these payments. Its methods need no service. */
async function balanceWith(payments: object) {
  const text = JSON.stringify({
    ...{ version: 1, secret: 'aa', topUp: null, ticket: TICKET, leafIndex: '0', payments },
  })
  const store = memoryBalance(text)
  const record = await BalanceRecord.read(store)
  const context = { host: { nowMs: () => 0 }, pace: new Pace(), rpc }
  return { text, store, balance: new Balance(context as never, record!) }
}

describe('a payment without a key', () => {
  const payment = { to: TO, amount: '10' }
  // Callers in plain JavaScript can pass any value.
  it.each(['', undefined, null, 7])('is refused if the key is %j', async (given) => {
    const { balance, store, text } = await balanceWith({})
    const key = given as string
    const refused = { name: 'RangeError', message: expect.stringContaining('own key') as string }
    await expect(balance.send({ ...payment, key })).rejects.toMatchObject(refused)
    await expect(balance.mark(key, 'mark')).rejects.toMatchObject(refused)
    expect(await store.read()).toBe(text)
  })

  it.each(['', undefined, 7])('is refused in a list with the id %j', async (given) => {
    const { balance, store, text } = await balanceWith({})
    const list = { id: given as string, lines: [payment] }
    const refused = { name: 'RangeError', message: expect.stringContaining('own id') as string }
    await expect(balance.sendAll(list)).rejects.toMatchObject(refused)
    await expect(Balance.sendAllFrom([balance], list)).rejects.toMatchObject(refused)
    expect(await store.read()).toBe(text)
  })
})

describe('payments whose keys look like the stored keys of other payments', () => {
  const request = { to: TO, amount: '10' }
  const paid = (trackingId: string) => ({ trackingId, payout: '10', fee: '1', signature: null })
  const made = (trackingId: string) => ({ request, step: 'paid', paid: paid(trackingId) })
  const lookalikes = ['close', 'close:2', 'line:0:november', 'one:close', 'one:', '__proto__']

  it('are distinguished from closing payments and from the lines of lists', async () => {
    const others = ['close', 'close:2', 'line:0:november', 'line:0:0:november']
    const own = lookalikes.map((key) => [`one:${key}`, made(`own ${key}`)])
    const payments = Object.fromEntries([...own, ...others.map((key) => [key, made(key)])])
    const { store, balance } = await balanceWith(payments)
    const stored = await storedBalance(store)
    expect(stored!.payments.map(({ id }) => id)).toEqual(Object.keys(payments))
    expect(
      stored!.payments.map(({ id: _id, request: _request, step: _step, ...name }) => name),
    ).toMatchObject([
      ...lookalikes.map((key) => ({ kind: 'single', key })),
      { kind: 'close' },
      { kind: 'close' },
      { kind: 'line', list: 'november', line: 0 },
      { kind: 'line', list: '0:november', line: 0 },
    ])
    const state = await balance.state()
    expect([...state.paid]).toEqual(lookalikes.map((key) => [key, paid(`own ${key}`)]))
  })

  it('do not count as paid if only the other payments are paid', async () => {
    const { balance, store } = await balanceWith({
      close: made('closing'),
      'line:0:november': made('line'),
    })
    for (const key of lookalikes) {
      // The balance is empty, so a payment that isn't recorded as paid is refused.
      const sent = balance.send({ key, ...request })
      await expect(sent).rejects.toMatchObject({ code: 'BALANCE_EMPTY' })
      await balance.mark(key, `mark of ${key}`)
    }
    const { marks } = (await storedBalance(store))!
    expect([...marks]).toEqual(lookalikes.map((key) => [key, `mark of ${key}`]))
  })
})
