import {
  closeOrderInstruction,
  decodeTicket,
  NATIVE_MINT,
  orderAddress,
  type Address,
  type Ticket,
} from '@sotto/protocol'
import { getAddressEncoder } from '@solana/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signTransaction } from '../../server/src/adapters/chain/settlement/sign-transaction.ts'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { PROGRAM } from '../../server/tests/settlement/stack/localnet-process.ts'
import {
  memoryBalance,
  openBalance,
  type BalanceStore,
  type OpenBalanceOptions,
} from '../balance.ts'
import type { SavedBalance } from '../src/balance/balance-state.ts'
import { systemHost } from '../src/host/host.ts'
import { Crash } from './balance/crashing.ts'
import { advance, cutAtSend } from './balance/unlanded-deposit.ts'
import { fundedSigner, openBooks, optionsOf } from './transfer/paying.ts'

const AMOUNT = 500_000_000n
const DEADLINE_SECONDS = 2_400
const DAY_SECONDS = 86_400

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

const stateIn = async (store: BalanceStore) =>
  JSON.parse((await store.read()) ?? '{}') as SavedBalance

/** Opens a balance, and ends the process when it sends the signed deposit. The deposit lands only if `isSent`. */
async function interrupted(isSent: boolean) {
  const signer = await fundedSigner(stack, 2_000_000_000)
  const topUp = { senderAddress: signer.address, assetId: NATIVE_MINT, amount: `${AMOUNT}` }
  const store = memoryBalance()
  const options: OpenBalanceOptions = { ...(await optionsOf(stack)), store, signer, topUp }
  const opened = openBalance({ ...options, ...cutAtSend(stack, isSent) })
  await expect(opened).rejects.toThrow(Crash)
  const { topUp: saved, secret } = await stateIn(store)
  if (saved?.step !== 'submitting') throw new Error(`the deposit is at ${saved?.step}`)
  const ticket = decodeTicket(saved.order.recovery)
  return { options, store, topUp, secret, ticket, books: await openBooks(stack, signer.address) }
}

const withoutTopUp = ({ topUp: _topUp, ...options }: OpenBalanceOptions) => options

describe('a top-up that was signed and never landed', () => {
  it.each([
    ['an hour', DEADLINE_SECONDS + 1_200],
    ['two days', 2 * DAY_SECONDS],
  ])(
    'is proven unpaid after %s, and the same store then gets another deposit',
    async (_after, seconds) => {
      const { options, store, topUp, secret, books } = await interrupted(false)
      await advance(stack, seconds)
      const refused = { name: 'BalanceError', code: 'NOT_OPENED' }
      await expect(openBalance(withoutTopUp(options))).rejects.toMatchObject(refused)
      await expect(openBalance(withoutTopUp(options))).rejects.toMatchObject(refused)
      expect(await stateIn(store)).toMatchObject({ secret, ticket: null, topUp: { step: 'done' } })
      expect(await books.spent()).toBe(0n)

      const other = { ...topUp, amount: `${AMOUNT / 2n}` }
      const balance = await openBalance({ ...options, topUp: other })
      expect(await balance.state()).toMatchObject({ status: 'open', value: AMOUNT / 2n })
      expect((await stateIn(store)).secret).toBe(secret)
      const spent = await books.spent()
      expect(spent > AMOUNT / 2n && spent < AMOUNT).toBe(true)
      // The balance is open now, so the terms of a top-up are ignored.
      await openBalance({ ...options, topUp })
      expect(await books.spent()).toBe(spent)
    },
  )

  it('gets no other deposit while the first deposit can still land', async () => {
    const { options, topUp, books } = await interrupted(false)
    const other = { ...topUp, amount: `${AMOUNT / 2n}` }
    const balance = await openBalance({ ...options, topUp: other })
    expect((await balance.state()).value).toBe(AMOUNT)
    expect(await books.spent()).toBeLessThan(AMOUNT + 3_000_000n)
  })

  it('stays in the store if the node does not show all leaves', async () => {
    const { options, store, books } = await interrupted(false)
    await advance(stack, 2 * DAY_SECONDS)
    // To hide the leaf, a test would need more deposits than the Tree account has entries. So this node hides the
    // account instead.
    const rpc = new Proxy(stack.rpc, {
      get: (object, key) => {
        if (key !== 'getAccountInfo') return Reflect.get(object, key) as unknown
        return () => ({ send: () => Promise.reject(new Crash('no account')) })
      },
    })
    await expect(openBalance({ ...options, rpc })).rejects.toThrow(Crash)
    expect((await stateIn(store)).topUp).toMatchObject({ step: 'deposited' })
    expect(await books.spent()).toBe(0n)
  })
})

/** The Order account of the ticket's order, with the index of a leaf that isn't the note's. */
function foreignOrder({ note: { sender, deadline } }: Ticket) {
  const data = Buffer.alloc(56)
  data.writeUInt8(4, 0)
  data.writeBigInt64LE(deadline, 8)
  data.set(getAddressEncoder().encode(sender), 24)
  return { owner: PROGRAM, data: [data.toString('base64'), 'base64'] }
}

it('does not open the balance if its order’s account has the index of another leaf', async () => {
  const { options, store, ticket, books } = await interrupted(false)
  const account = await orderAddress(PROGRAM, ticket.orderId)
  type Method = (
    asked: readonly Address[],
    options: object,
  ) => { send: () => Promise<{ value: readonly unknown[] }> }
  const rpc = new Proxy(stack.rpc, {
    get: (object, key) => {
      const method = Reflect.get(object, key) as Method
      if (key !== 'getMultipleAccounts') return method
      return (asked: readonly Address[], config: object) => ({
        send: async () => {
          const answer = await method(asked, config).send()
          const shown = asked.map((one, place) =>
            one === account ? foreignOrder(ticket) : answer.value[place],
          )
          return { ...answer, value: shown }
        },
      })
    },
  })
  const opened = openBalance({ ...withoutTopUp(options), rpc })
  await expect(opened).rejects.toMatchObject({ code: 'HISTORY_MISSING' })
  expect(await stateIn(store)).toMatchObject({ ticket: null, topUp: { step: 'deposited' } })
  expect(await books.spent()).toBe(0n)
})

it('opens the balance if the deposit landed, although its order’s account was closed', async () => {
  const { options, ticket } = await interrupted(true)
  const account = await orderAddress(PROGRAM, ticket.orderId)
  const commitment = 'finalized' as const
  const isThere = async () =>
    (await stack.rpc.getAccountInfo(account, { encoding: 'base64', commitment }).send()).value !==
    null
  while (!(await isThere())) await systemHost.sleep(50)
  await advance(stack, DEADLINE_SECONDS + DAY_SECONDS + 600)
  const rentPayer = ticket.note.sender
  const closing = closeOrderInstruction(PROGRAM, [{ account, rentPayer }])
  const { wire } = await signTransaction(stack.rpc, [stack.sender], [closing])
  const base64 = Buffer.from(wire).toString('base64') as never
  await stack.rpc.sendTransaction(base64, { encoding: 'base64' }).send()
  while (await isThere()) await systemHost.sleep(50)
  const balance = await openBalance(withoutTopUp(options))
  expect(await balance.state()).toMatchObject({ status: 'open', value: AMOUNT })
})
