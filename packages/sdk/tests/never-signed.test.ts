import { closeOrderInstruction, decodeTicket, orderAddress, type Address } from '@sotto/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signTransaction } from '../../server/src/adapters/chain/settlement/sign-transaction.ts'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { solSend } from '../../server/tests/http/partner-client.ts'
import { PROGRAM } from '../../server/tests/settlement/stack/localnet-process.ts'
import { noteFinder } from '../balance.ts'
import { systemHost } from '../src/host/host.ts'
import { askedFor, transfer, type TransferOptions } from '../wallet.ts'
import { advance } from './balance/unlanded-deposit.ts'
import { Crash, openSurvivor, type Survivor } from './transfer/crash-points.ts'
import { openBooks, optionsOf } from './transfer/paying.ts'

const DEADLINE_SECONDS = 2_400
const DAY_SECONDS = 86_400

let stack: HttpStack
let base: Awaited<ReturnType<typeof optionsOf>>
let findNote: NonNullable<TransferOptions['findNote']>
beforeAll(async () => {
  stack = await startHttpStack()
  base = await optionsOf(stack)
  findNote = noteFinder({ rpc: stack.rpc, programId: PROGRAM, isLocalChain: true })
})
afterAll(() => stack.close())

/** Begins a transfer, and ends the process at `end`. The saved state has the ticket, but not the note's position. */
async function begun(end: Partial<TransferOptions>): Promise<Survivor> {
  const survivor = openSurvivor(askedFor(solSend(stack)))
  const { save, read } = survivor
  await expect(transfer({ ...base, save, state: read(), ...end })).rejects.toThrow(Crash)
  return survivor
}

/** A wallet whose user declines to sign. */
const declining = () => ({
  address: base.signer.address,
  signWire: async () => {
    throw new Crash('declined')
  },
})

/** Sends the signed deposit, and ends the process before the deposit is seen. */
const cutAfterSend = () =>
  new Proxy(stack.rpc, {
    get: (object, key) => {
      const method = Reflect.get(object, key) as (...args: unknown[]) => { send: () => unknown }
      if (key !== 'sendTransaction') return method
      return (...args: unknown[]) => ({
        send: async () => {
          await method.call(object, ...args).send()
          stop.abort(new Crash('cut'))
          throw new Crash('cut')
        },
      })
    },
  })
let stop: AbortController

const isThere = async (account: Address): Promise<boolean> => {
  const options = { encoding: 'base64', commitment: 'finalized' } as const
  return (await stack.rpc.getAccountInfo(account, options).send()).value !== null
}

/** Closes the account of the order. This is possible a day after the order's deadline. */
async function closeAccount(account: Address): Promise<void> {
  const closing = closeOrderInstruction(PROGRAM, [{ account, rentPayer: stack.sender.address }])
  const { wire } = await signTransaction(stack.rpc, [stack.sender], [closing])
  const base64 = Buffer.from(wire).toString('base64') as never
  await stack.rpc.sendTransaction(base64, { encoding: 'base64' }).send()
  while (await isThere(account)) await systemHost.sleep(50)
}

describe('a transfer that was never signed', () => {
  it.each(['final', 'paid'] as const)(
    'is proven unpaid more than a day after its deadline (until: %s)',
    async (until) => {
      const survivor = await begun({ signer: declining() })
      const { save, read } = survivor
      expect(read().step).toBe('signing')
      const books = await openBooks(stack)
      await advance(stack, DEADLINE_SECONDS + DAY_SECONDS + 600)
      const ended = await transfer({ ...base, save, state: read(), findNote, until })
      expect(ended).toMatchObject({ outcome: 'expired' })
      expect(read()).toMatchObject({ step: 'done', result: { outcome: 'expired' } })
      expect(await books.spent()).toBe(0n)
    },
  )

  it('stays open if the node does not show all leaves', async () => {
    const { save, read } = await begun({ signer: declining() })
    await advance(stack, DEADLINE_SECONDS + DAY_SECONDS + 600)
    const hidden = async () => {
      throw new Crash('no leaves')
    }
    const running = transfer({ ...base, save, state: read(), findNote: hidden })
    await expect(running).rejects.toThrow(Crash)
    expect(read().step).toBe('deposited')
  })
})

it('a transfer whose deposit landed does not count as unpaid after its order’s account was closed', async () => {
  stop = new AbortController()
  const { save, read } = await begun({ rpc: cutAfterSend(), signal: stop.signal })
  const state = read()
  if (state.step !== 'submitting') throw new Error(`the transfer is at ${state.step}`)
  const account = await orderAddress(PROGRAM, decodeTicket(state.order.recovery).orderId)
  while (!(await isThere(account))) await systemHost.sleep(50)
  await advance(stack, DEADLINE_SECONDS + DAY_SECONDS + 600)
  await closeAccount(account)
  const ended = await transfer({ ...base, save, state, findNote, until: 'paid' })
  expect(ended).toMatchObject({ outcome: 'paid' })
  expect(read()).toMatchObject({ step: 'deposited', leafIndex: expect.stringMatching(/^\d+$/) })
})
