import { generateKeyPairSigner } from '@solana/kit'
import { startProver, type ProverClient } from '@sotto/prover-client'
import { encodeTicket, NATIVE_MINT, ownerOf } from '@sotto/protocol'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { draftOrder, sendDeposit } from '../../../program/tests/fixtures/deposits.ts'
import { expectLanded, startPool, type PoolFixture } from '../../../program/tests/fixtures/pool.ts'
import { liteNode } from '../../recovery/tests/lite-node.ts'
import {
  memoryBalance,
  openBalance,
  restoreBalance,
  storedBalance,
  type BalanceService,
  type BalanceStore,
} from '../balance.ts'
import { FEE, PayingService } from './balance/paying-service.ts'

const VALUE = 1_000_000_000n
const SECRET = 4_712n
const executable = fileURLToPath(new URL('../../prover/sotto-prover.mjs', import.meta.url))

let prover: ProverClient
let fixture: PoolFixture
let node: ReturnType<typeof liteNode>
let paying: PayingService
beforeAll(async () => {
  prover = await startProver({ executable, processes: 1, queueMax: 1 })
  fixture = await startPool()
  node = liteNode(fixture.chain)
})
beforeEach(() => {
  paying = new PayingService(node, fixture.chain, prover)
})
afterAll(() => prover.stop())

const options = (service: BalanceService = paying.service) => ({
  ...{ service, rpc: node.rpc, programId: fixture.chain.program },
  ...{ approve: () => true, pollMs: 5, acceptedPrograms: [] },
})
const wallet = async () => (await generateKeyPairSigner()).address

/** Deposits into a new balance, and restores it into the store. */
async function opened(store: BalanceStore) {
  const owner = { point: ownerOf(SECRET), secret: SECRET, sign: () => expect.fail('unused') }
  const wish = { sourceMint: NATIVE_MINT, amountOut: VALUE, fee: 0n, owner }
  const order = await draftOrder(fixture, wish)
  expectLanded(await sendDeposit(fixture, order))
  const { orderId } = order.terms
  const ticket = { program: fixture.chain.program, orderId, note: order.note, secret: SECRET }
  const balance = await restoreBalance({ ...options(), store, ticket: encodeTicket(ticket) })
  return { balance, sender: order.note.sender }
}

const refused = (code: string) =>
  Promise.reject(Object.assign(new Error(code), { code, retry: 'never' }))

it('a signed payment that the service has forgotten ends when the chain shows that it can not land', async () => {
  const store = memoryBalance()
  await opened(store)
  const to = await wallet()
  const forgetful = { ...paying.service, signPayment: () => refused('ORDER_NOT_FOUND') }
  const failing = { ...paying.service, signPayment: () => refused('UNAVAILABLE') }
  const cut = await openBalance({ ...options(failing), store })
  await expect(cut.send({ key: 'one', to, amount: '10000000' })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  })
  let isOpen = false
  const opening = openBalance({ ...options(forgetful as BalanceService), store }).then(
    () => (isOpen = true),
  )
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(isOpen).toBe(false)
  fixture.chain.setTime(fixture.chain.time + 1_800n)
  await opening
  expect((await storedBalance(store))?.payments).toEqual([])
  const balance = await openBalance({ ...options(), store })
  await balance.send({ key: 'one', to, amount: '10000000' })
  expect(fixture.chain.balance(to)).toBe(10_000_000n)
  expect((await balance.state()).value).toBe(VALUE - 10_000_000n - FEE)
})
