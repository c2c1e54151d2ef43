import { beforeAll, expect, test } from 'vitest'
import type { Instruction, KeyPairSigner } from '@solana/kit'
import {
  amount,
  FIELD_MODULUS,
  NATIVE_MINT,
  nullifierOf,
  unixSeconds,
  type Settlement,
} from '@sotto/protocol'
import { draftOrder, Ledger, type Order } from './fixtures/deposits.ts'
import { withAccount, withBytes, withFlippedBit } from './fixtures/instruction-edits.ts'
import { startPool, stock, type PoolFixture } from './fixtures/pool.ts'
import { poseidon } from './fixtures/poseidon.ts'
import {
  bytesBeyondModulus,
  gridAfter,
  makeSettlement,
  nullifierAddressOfBytes,
  settle,
} from './fixtures/settlements.ts'
import { giveTokens } from './fixtures/token-accounts.ts'

let fixture: PoolFixture
let order: Order
let relayer: KeyPairSigner
let settlement: Settlement
let instruction: Instruction

beforeAll(async () => {
  fixture = await startPool()
  const { chain } = fixture
  const ledger = new Ledger()
  const wish = { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n, fee: 1_000_000n }
  order = await draftOrder(fixture, wish)
  await ledger.deposit(fixture, await draftOrder(fixture, wish))
  const leafIndex = await ledger.deposit(fixture, order)
  relayer = await chain.wallet()
  settlement = await makeSettlement(ledger, order, leafIndex, { time: gridAfter(chain.time + 1n) })
  instruction = await settle(fixture, relayer, NATIVE_MINT, settlement)
})

const send = async (...instructions: Instruction[]) =>
  (await fixture.chain.send([relayer], instructions)).refusal

const settleWith = async (change: Partial<Settlement>) =>
  send(await settle(fixture, relayer, NATIVE_MINT, { ...settlement, ...change }))

test('I3: a proof pays no other amount', async () => {
  for (const other of [settlement.amount + 1n, settlement.amount - 1n, 0n]) {
    expect(await settleWith({ amount: amount(other) })).toBe('ProofInvalid')
  }
})

test('I3: a proof pays nobody else', async () => {
  const thief = (await fixture.chain.wallet()).address
  expect(await settleWith({ payee: thief })).toBe('ProofInvalid')
  expect(await send(withAccount(instruction, 6, thief))).toBe('WrongAddress')
})

test('I2: a proof has one nullifier', async () => {
  const other = nullifierOf(poseidon, order.note.nk, 0n)
  expect(await settleWith({ nullifier: other })).toBe('ProofInvalid')
})

test('I2: the nullifier plus the modulus is no second nullifier', async () => {
  const bytes = bytesBeyondModulus(settlement.nullifier, FIELD_MODULUS)
  const account = await nullifierAddressOfBytes(fixture.chain.program, bytes)
  const twin = withAccount(withBytes(instruction, 5, bytes), 5, account)
  expect(await send(twin)).toBe('NotAFieldElement')
})

test('I5: a proof holds for one time, and a delivery is no refund', async () => {
  const { time } = settlement
  expect(await settleWith({ time: unixSeconds(time + 600n) })).toBe('ProofInvalid')
  fixture.chain.setTime(time)
  expect(await settleWith({ isRefund: true })).toBe('ProofInvalid')
  fixture.chain.setTime(time - 1n)
})

test('a delivery takes no fee along', async () => {
  expect(await settleWith({ feeBack: amount(1_000_000n) })).toBe('FeeBackOnDelivery')
})

test('a proof holds for one root, and an empty or absent root for none', async () => {
  const at = (index: number) => settleWith({ root: { kind: 'recent', index } })
  expect(await at(0)).toBe('ProofInvalid')
  expect(await at(2)).toBe('RootUnknown')
  expect(await at(1_023)).toBe('RootUnknown')
  expect(await at(1_024)).toBe('RootIndexOutOfRange')
  expect(await settleWith({ root: { kind: 'checkpoint', index: 1_024 } })).toBe(
    'RootIndexOutOfRange',
  )
  expect(await send(withBytes(instruction, 2, Uint8Array.of(2)))).toBe('RootIndexOutOfRange')
})

test('a changed point of the proof, a negated one and the point at infinity are refused', async () => {
  for (const at of [93, 156, 157, 284, 285, 348]) {
    expect(await send(withFlippedBit(instruction, at)), `byte ${at}`).toBe('ProofInvalid')
  }
  expect(await send(withBytes(instruction, 93, new Uint8Array(256)))).toBe('ProofInvalid')
})

test('a proof for one asset moves no other', async () => {
  const { chain, token } = fixture
  await giveTokens(chain, token, settlement.payee, 0n)
  await stock(fixture, token, 1_000_000_000n)
  expect(await send(await settle(fixture, relayer, token, settlement))).toBe('ProofInvalid')
})

test('the untouched proof is still good, against the checkpoint too', async () => {
  const hour = Number((fixture.chain.time / 3_600n) % 1_024n)
  expect(await settleWith({ root: { kind: 'checkpoint', index: hour } })).toBeUndefined()
  expect(await send(instruction)).toBe('NullifierSpent')
})
