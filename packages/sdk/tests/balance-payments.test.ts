import { decodeTicket, encodeTicket, NATIVE_MINT, ownerOf, type Address } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  sharedProcessProver,
  type SharedProcessProver,
} from '../../../testing/prover/shared-prover.ts'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { startEngine, type Engine } from '../../server/tests/settlement/stack/engine.ts'
import { lamportsOf } from '../../server/tests/settlement/stack/orders.ts'
import { waitUntil } from '../../server/tests/settlement/stack/stack.ts'
import { makeWallet } from '../../server/tests/settlement/stack/wallet.ts'
import { memoryBalance, openBalance, type ListProgress } from '../balance.ts'
import { clientOf } from './attacks/honest-order.ts'
import { costOfOne, fundedSigner, openBooks, optionsOf } from './transfer/paying.ts'

const AMOUNT = 500_000_000n
/**
 * For each payment, the amount that the payee receives and the amount that the balance pays. The fees are 0.2 % of
 * the gross and 100,000 lamports.
 */
const PAYMENTS = [
  { payout: 99_700_000n, gross: 100_000_000n },
  { payout: 49_800_000n, gross: 50_000_000n },
  { payout: 24_850_000n, gross: 25_000_000n },
  { payout: 149_600_000n, gross: 150_000_000n },
] as const
const REST = 175_000_000n
/** The amount that returns to the wallet: the rest, less fees of 0.2 % and 100,000 lamports. */
const RETURNED = 174_550_000n

let stack: HttpStack
let prover: SharedProcessProver | undefined
let engine: Engine | undefined
beforeAll(async () => {
  stack = await startHttpStack()
  prover = await sharedProcessProver()
  const relayers = [makeWallet()]
  await stack.localnet.local('requestAirdrop', [relayers[0]!.address, 500_000_000_000])
  type Shown = { readonly tree: Address; readonly domain: string }
  const { tree, domain } = await stack.operate<Shown>('pool', 'show')
  const pool = { tree, domain: new Uint8Array(Buffer.from(domain, 'hex')) }
  engine = startEngine({ ...stack, ...pool, prover, relayers })
})
afterAll(async () => {
  await engine?.stop()
  await stack?.close()
})

const statusesOf = async () => {
  const statuses: string[] = []
  for await (const { status } of clientOf(stack).orders()) statuses.push(status)
  return statuses
}

it('pays single payees, a list and the rest, exact to the lamport', async () => {
  const base = await optionsOf(stack)
  const signer = await fundedSigner(stack, 2_000_000_000)
  const books = await openBooks(stack, signer.address)
  const topUp = { senderAddress: signer.address, assetId: NATIVE_MINT, amount: `${AMOUNT}` }
  const store = memoryBalance()
  const balance = await openBalance({ ...base, store, signer, topUp })
  const { program, orderId, note } = decodeTicket(balance.ticket, ownerOf)
  const ticket = encodeTicket({ program, orderId, note })
  const cost = await costOfOne(stack, topUp, ticket)
  expect(await books.spent()).toBe(cost)

  const wishes = PAYMENTS.map(({ payout, gross }) => ({
    ...{ to: makeWallet().address, amount: `${payout}` },
    paid: { payout: `${payout}`, fee: `${gross - payout}` },
  }))
  const [first, second, ...list] = wishes
  const lines = list.map(({ to, amount }) => ({ to, amount }))
  for (const { to, amount, paid } of [first!, second!]) {
    expect(await balance.send({ key: amount, to, amount })).toMatchObject(paid)
    expect(await lamportsOf(stack, to)).toBe(BigInt(amount))
  }
  const progress: ListProgress[] = []
  const all = await balance.sendAll({ id: 'list', lines }, (line) => progress.push(line))
  expect(all).toMatchObject(list.map(({ paid }) => paid))
  expect(progress).toEqual(all.map((paid, line) => ({ line, paid })))
  expect(await balance.state()).toMatchObject({ status: 'open', value: REST })

  // Another process, which has only the store, must not pay any line again.
  const { signer: _wallet, ...known } = base
  const reopened = await openBalance({ ...known, store })
  expect(await reopened.sendAll({ id: 'list', lines })).toEqual(all)
  const closed = { payout: `${RETURNED}`, fee: `${REST - RETURNED}` }
  expect(await reopened.close({ kept: 0n })).toMatchObject(closed)
  expect(await reopened.state()).toMatchObject({ status: 'empty', value: 0n })
  for (const { to, amount } of wishes) expect(await lamportsOf(stack, to)).toBe(BigInt(amount))
  expect(await books.spent()).toBe(cost - RETURNED)
  // The orders are the top-up and five payments.
  await waitUntil(async () => (await statusesOf()).every((status) => status === 'delivered'))
  expect(await statusesOf()).toHaveLength(6)
  expect(engine!.reports.failures).toEqual([])
})
