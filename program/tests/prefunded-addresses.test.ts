import { createHash } from 'node:crypto'
import { getProgramDerivedAddress, isOffCurveAddress, type Address } from '@solana/kit'
import { beforeEach, expect, test } from 'vitest'
import {
  addressBytes,
  addressFromBytes,
  assetAddress,
  decodeOrder,
  fieldToBytes,
  NATIVE_MINT,
  NULLIFIER_BYTES,
  nullifierAddress,
  ORDER_BYTES,
  orderAddress,
  poolAddress,
  vaultAddress,
} from '@sotto/protocol'
import { Chain } from './fixtures/chain.ts'
import { depositPair, draftOrder, sendDeposit } from './fixtures/deposits.ts'
import { Ledger } from './fixtures/ledger.ts'
import { withAccount } from './fixtures/instruction-edits.ts'
import { addAsset, expectLanded, START, startPool, type PoolFixture } from './fixtures/pool.ts'
import { makeSettlement, settle } from './fixtures/settlements.ts'
import { gridAfter } from './fixtures/grid.ts'
import { makeMint } from './fixtures/token-accounts.ts'

let fixture: PoolFixture

beforeEach(async () => {
  fixture = await startPool()
})

const PREFUNDINGS = [
  ['one lamport', () => 1n],
  ['the rent minimum of an empty account', (chain: Chain) => chain.rentMinimum(0)],
  ['exactly the rent minimum', (chain: Chain, size: number) => chain.rentMinimum(size)],
  ['more than the rent minimum', (chain: Chain, size: number) => chain.rentMinimum(size) + 9n],
] as const

test.each(PREFUNDINGS)(
  'a deposit lands if its Order’s address already has %s',
  async (_, lamportsFor) => {
    const { chain } = fixture
    const order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n })
    const account = await orderAddress(chain.program, order.terms.orderId)
    const prefunded = lamportsFor(chain, ORDER_BYTES)
    chain.fund(account, prefunded)
    expectLanded(await sendDeposit(fixture, order))
    const minimum = chain.rentMinimum(ORDER_BYTES)
    expect(chain.balance(account)).toBe(prefunded > minimum ? prefunded : minimum)
    expect(decodeOrder(chain.data(account) ?? new Uint8Array()).sender).toBe(order.terms.sender)
  },
)

test('a settlement lands if its Nullifier’s address already has lamports', async () => {
  const { chain } = fixture
  const ledger = new Ledger()
  const order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n })
  const leafIndex = await ledger.deposit(fixture, order)
  const settlement = await makeSettlement(ledger, order, leafIndex, { time: gridAfter(chain.time) })
  const account = await nullifierAddress(chain.program, settlement.nullifier)
  chain.fund(account, 1n)
  const relayer = await chain.wallet()
  const instruction = await settle(fixture, relayer, NATIVE_MINT, settlement)
  expectLanded(await chain.send([relayer], [instruction]))
  expect(chain.balance(account)).toBe(chain.rentMinimum(NULLIFIER_BYTES))
  expect((await chain.send([relayer], [instruction])).refusal).toBe('NullifierSpent')
})

test('an asset can be added if the addresses of its Asset and vault already have lamports', async () => {
  const { chain } = fixture
  const mint = await makeMint(chain)
  chain.fund(await assetAddress(chain.program, mint), 1n)
  chain.fund(await vaultAddress(chain.program, mint), 5_000_000n)
  await addAsset(fixture, mint)
})

test('the pool can be created if the addresses of the Pool and the native vault already have lamports', async () => {
  const program = (await Chain.start(START)).program
  const prefunded = [await poolAddress(program), await vaultAddress(program, NATIVE_MINT)]
  const started = await startPool((chain) => {
    for (const address of prefunded) chain.fund(address, 1n)
  })
  expect(started.chain.balance(await vaultAddress(program, NATIVE_MINT))).toBe(
    started.chain.rentMinimum(0),
  )
})

test('I2 I4: an Order or a Nullifier is refused if its bump is not the canonical bump', async () => {
  const { chain } = fixture
  const ledger = new Ledger()
  const order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n })
  const [authorisation, deposit] = await depositPair(fixture, order.terms)
  const secondOrder = await secondAddress(chain, ['order', order.terms.orderId])
  const elsewhere = withAccount(deposit, 3, secondOrder)
  const outcome = await chain.send([order.sender], [authorisation, elsewhere])
  expect(outcome.refusal).toBe('WrongAddress')

  const leafIndex = await ledger.deposit(fixture, order)
  const settlement = await makeSettlement(ledger, order, leafIndex, { time: gridAfter(chain.time) })
  const relayer = await chain.wallet()
  const instruction = await settle(fixture, relayer, NATIVE_MINT, settlement)
  expectLanded(await chain.send([relayer], [instruction]))
  const seeds = ['nullifier', fieldToBytes(settlement.nullifier)]
  const again = withAccount(instruction, 5, await secondAddress(chain, seeds))
  expect((await chain.send([relayer], [again])).refusal).toBe('WrongAddress')
})

/**
 * The derived address with the next lower bump that is valid. A bump is valid if its address isn't a point of the
 * curve.
 */
async function secondAddress(chain: Chain, seeds: (string | Uint8Array)[]): Promise<Address> {
  const [, canonical] = await getProgramDerivedAddress({ programAddress: chain.program, seeds })
  for (let bump = Number(canonical) - 1; bump > 0; bump -= 1) {
    const hash = createHash('sha256')
    for (const part of [...seeds, Uint8Array.of(bump), addressBytes(chain.program)])
      hash.update(part)
    const derived = addressFromBytes(hash.update('ProgramDerivedAddress').digest())
    if (isOffCurveAddress(derived)) return derived
  }
  throw new Error('no second address')
}
