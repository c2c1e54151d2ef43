import { beforeEach, expect, test } from 'vitest'
import { AccountRole, getProgramDerivedAddress, type Address } from '@solana/kit'
import { decodeTree, NATIVE_MINT } from '@sotto/protocol'
import { callOf, deployCaller } from '../fixtures/caller.ts'
import { depositPair, draftOrder, type Order } from '../fixtures/deposits.ts'
import { Ledger } from '../fixtures/ledger.ts'
import { withoutSignature } from '../fixtures/instruction-edits.ts'
import {
  expectLanded,
  readAsset,
  startPool,
  vaultBalance,
  type PoolFixture,
} from '../fixtures/pool.ts'

const AMOUNT = 1_000_000_000n
let fixture: PoolFixture
let caller: Address
let ledger: Ledger

beforeEach(async () => {
  fixture = await startPool()
  caller = await deployCaller(fixture.chain)
  ledger = new Ledger()
})

const draft = (amountOut = AMOUNT) =>
  draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut, fee: 5_000n })

/** Asserts that books, vault and tree contain only the orders that landed. */
async function expectLandedOrders(...orders: Order[]): Promise<void> {
  for (const order of orders) ledger.append(order)
  const sum = orders.reduce((total, { terms }) => total + terms.value, 0n)
  expect((await readAsset(fixture, NATIVE_MINT)).owed).toBe(sum)
  expect(await vaultBalance(fixture, NATIVE_MINT)).toBe(sum)
  const tree = decodeTree(fixture.chain.data(fixture.tree) ?? new Uint8Array())
  expect(tree.nextIndex).toBe(BigInt(orders.length))
  if (orders.length > 0) expect(tree.recent(orders.length - 1).root).toBe(ledger.tree.root)
}

test('harmless: a deposit that another program calls lands only once', async () => {
  const { chain } = fixture
  const order = await draft()
  const [authorisation, deposit] = await depositPair(fixture, order.terms)
  const called = [authorisation, callOf(caller, deposit)]
  expectLanded(await chain.send([order.sender], called))
  expect((await chain.send([order.sender], called)).refusal).toBe('OrderExists')
  expect((await chain.send([order.sender], [authorisation, deposit])).refusal).toBe('OrderExists')
  await expectLandedOrders(order)
})

test('two deposits with one verification are refused', async () => {
  const { chain } = fixture
  const [order, other] = [await draft(), await draft()]
  const [authorisation, deposit] = await depositPair(fixture, order.terms)
  const twice = callOf(caller, deposit, { isTwice: true })
  expect((await chain.send([order.sender], [authorisation, twice])).refusal).toBe('OrderExists')
  const [, second] = await depositPair(fixture, other.terms)
  const behind = [authorisation, callOf(caller, deposit), second]
  const signers = [order.sender, other.sender]
  expect((await chain.send(signers, behind)).refusal).toBe('AuthorisationMissing')
  await expectLandedOrders()
})

test('a called deposit is refused with the verification of another order', async () => {
  const [order, other] = [await draft(), await draft(2n * AMOUNT)]
  const [authorisation] = await depositPair(fixture, order.terms)
  const [, deposit] = await depositPair(fixture, other.terms)
  const instructions = [authorisation, callOf(caller, deposit)]
  const outcome = await fixture.chain.send([other.sender], instructions)
  expect(outcome.refusal).toBe('AuthorisationMismatch')
  await expectLandedOrders()
})

test('harmless: the account of another program can be the sender', async () => {
  const { chain } = fixture
  const [own, bump] = await getProgramDerivedAddress({ programAddress: caller, seeds: ['v'] })
  chain.fund(own, 100n * AMOUNT)
  const drafted = await draft()
  const order: Order = {
    ...drafted,
    terms: { ...drafted.terms, sender: own },
    note: { ...drafted.note, sender: own },
  }
  const [authorisation, deposit] = await depositPair(fixture, order.terms)
  const payer = await chain.wallet()
  // The call lands only if the calling program's account signs it.
  const unsigned = callOf(caller, withoutSignature(deposit, 0))
  expect((await chain.send([payer], [authorisation, unsigned])).refusal).toBe('MissingSignature')
  expectLanded(
    await chain.send([payer], [authorisation, callOf(caller, deposit, { signsAt: bump })]),
  )
  await expectLandedOrders(order)
})

test('a verification that another program calls is refused', async () => {
  const { chain } = fixture
  const order = await draft()
  const [authorisation, deposit] = await depositPair(fixture, order.terms)
  const own = order.sender.address
  const verification = {
    ...authorisation,
    accounts: [{ address: own, role: AccountRole.READONLY }],
  }
  const { refusal } = await chain.send([order.sender], [callOf(caller, verification), deposit])
  // A program can't call a precompile. The transaction fails at this call, before the deposit runs.
  expect(refusal).toMatch(/not supported by inner instructions/)
  await expectLandedOrders()
})
