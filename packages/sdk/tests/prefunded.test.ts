import { decodeTicket, orderAddress, type Address } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { solSend } from '../../server/tests/http/partner-client.ts'
import { PROGRAM } from '../../server/tests/settlement/stack/localnet-process.ts'
import { askedFor, transfer, type TransferState } from '../wallet.ts'
import { openBooks, optionsOf } from './transfer/paying.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack?.close())

/** Sends 0.001 SOL, as anyone can, to an address that the program has not used yet. */
async function prefund(account: Address): Promise<void> {
  await stack.localnet.local('requestAirdrop', [account, 1_000_000])
  const options = { commitment: 'confirmed' } as const
  await expect
    .poll(async () => (await stack.rpc.getBalance(account, options).send()).value)
    .toBe(1_000_000n)
}

it('asks the wallet, and pays once, although someone sent lamports to the order’s address', async () => {
  const base = await optionsOf(stack)
  const books = await openBooks(stack)
  const steps: string[] = []
  const save = async (state: TransferState): Promise<void> => {
    steps.push(state.step)
    if (state.step !== 'ordered') return
    const { orderId } = decodeTicket(state.order.recovery)
    await prefund(await orderAddress(PROGRAM, orderId))
  }
  const paid = await transfer({ ...base, save, until: 'paid', state: askedFor(solSend(stack)) })
  expect(paid).toMatchObject({ outcome: 'paid' })
  expect(steps).toContain('signing')
  expect(await books.spent()).toBeGreaterThan(1_000_000_000n)
  expect(await books.ordersMade()).toBe(1)
})
