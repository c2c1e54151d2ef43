import { beforeEach, expect, test } from 'vitest'
import type { Address, KeyPairSigner } from '@solana/kit'
import { NATIVE_MINT, type Settlement } from '@sotto/protocol'
import { callOf, deployCaller } from '../fixtures/caller.ts'
import { draftOrder, recipientOf, type Order } from '../fixtures/deposits.ts'
import { gridAfter } from '../fixtures/grid.ts'
import { Ledger } from '../fixtures/ledger.ts'
import { expectLanded, readAsset, startPool, type PoolFixture } from '../fixtures/pool.ts'
import { makeSettlement, settle } from '../fixtures/settlements.ts'
import { giveTokens, tokenBalance } from '../fixtures/token-accounts.ts'

const AMOUNT = 1_000_000_000n
const FEE = 5_000n

let fixture: PoolFixture
let caller: Address
let relayer: KeyPairSigner
let ledger: Ledger

beforeEach(async () => {
  fixture = await startPool()
  caller = await deployCaller(fixture.chain)
  relayer = await fixture.chain.wallet()
  ledger = new Ledger()
})

/** Deposits a note of this mint, and proves its delivery. */
async function prepare(mint: Address): Promise<{ order: Order; made: Settlement }> {
  const order = await draftOrder(fixture, { sourceMint: mint, amountOut: AMOUNT, fee: FEE })
  const leaf = await ledger.deposit(fixture, order)
  const made = await makeSettlement(ledger, order, leaf, { time: gridAfter(fixture.chain.time) })
  return { order, made }
}

test('harmless: a settlement that another program calls lands only once', async () => {
  const { chain } = fixture
  const { order, made } = await prepare(NATIVE_MINT)
  const direct = await settle(fixture, relayer, NATIVE_MINT, made)
  const before = chain.balance(recipientOf(order))
  for (const twice of [
    [callOf(caller, direct, { isTwice: true })],
    [callOf(caller, direct), direct],
    [direct, callOf(caller, direct)],
  ]) {
    expect((await chain.send([relayer], twice)).refusal).toBe('NullifierSpent')
  }
  expect(chain.balance(recipientOf(order))).toBe(before)
  expectLanded(await chain.send([relayer], [callOf(caller, direct)]))
  expect((await chain.send([relayer], [callOf(caller, direct)])).refusal).toBe('NullifierSpent')
  expect(chain.balance(recipientOf(order)) - before).toBe(AMOUNT)
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ owed: 0n, fees: FEE })
})

test('harmless: a called settlement of tokens pays the payee once', async () => {
  const { chain, token } = fixture
  const { order, made } = await prepare(token)
  const account = await giveTokens(chain, token, recipientOf(order), 0n)
  const direct = await settle(fixture, relayer, token, made)
  const twice = [callOf(caller, direct, { isTwice: true })]
  expect((await chain.send([relayer], twice)).refusal).toBe('NullifierSpent')
  expectLanded(await chain.send([relayer], [callOf(caller, direct)]))
  expect(tokenBalance(chain, account)).toBe(AMOUNT)
  expect(await readAsset(fixture, token)).toMatchObject({ owed: 0n, fees: FEE })
})
