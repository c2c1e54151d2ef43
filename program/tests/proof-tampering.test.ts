import { beforeAll, expect, test } from 'vitest'
import type { Instruction, KeyPairSigner } from '@solana/kit'
import {
  amount,
  CHECKPOINTS,
  FIELD_MODULUS,
  NATIVE_MINT,
  nullifierOf,
  RECENT,
  unixSeconds,
  type Settlement,
} from '@sotto/protocol'
import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import { draftOrder, type Order } from './fixtures/deposits.ts'
import { Ledger } from './fixtures/ledger.ts'
import { withAccount, withBytes, withFlippedBit } from './fixtures/instruction-edits.ts'
import { startPool, stock, type PoolFixture } from './fixtures/pool.ts'
import {
  bytesBeyondModulus,
  makeSettlement,
  nullifierAddressOfBytes,
  settle,
} from './fixtures/settlements.ts'
import { gridAfter } from './fixtures/grid.ts'
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

test('I3: a proof is refused with another amount', async () => {
  for (const other of [settlement.payout + 1n, settlement.payout - 1n, 1n]) {
    expect(await settleWith({ payout: amount(other) })).toBe('ProofInvalid')
  }
})

test('a proof is refused with another fee', async () => {
  const { payout, fee } = settlement
  for (const other of [fee + 1n, fee - 1n, 0n]) {
    expect(await settleWith({ fee: amount(other) })).toBe('ProofInvalid')
  }
  const moved = { fee: amount(fee + 1n), payout: amount(payout - 1n) }
  expect(await settleWith(moved)).toBe('ProofInvalid')
})

test('a proof is refused with another change', async () => {
  const { changeLeaf } = settlement
  for (const other of [changeLeaf + 1n, 0n, settlement.nullifier]) {
    expect(await settleWith({ changeLeaf: other })).toBe('ProofInvalid')
  }
  const bytes = bytesBeyondModulus(changeLeaf, FIELD_MODULUS)
  expect(await send(withBytes(instruction, 85, bytes))).toBe('NotAFieldElement')
})

test('amounts whose sum overflows are refused', async () => {
  const wrapped = { payout: amount(2n ** 64n - 1n), fee: amount(settlement.payout) }
  expect(['OwedShort', 'Overflow', 'ProofInvalid']).toContain(await settleWith(wrapped))
})

test('I3: a proof is refused with another payee', async () => {
  const thief = (await fixture.chain.wallet()).address
  expect(await settleWith({ payee: thief })).toBe('ProofInvalid')
  expect(await send(withAccount(instruction, 6, thief))).toBe('WrongAddress')
})

test('I2: a proof is refused with another nullifier', async () => {
  const other = nullifierOf(poseidon, order.note.nk, 0n)
  expect(await settleWith({ nullifier: other })).toBe('ProofInvalid')
})

test('I2: the nullifier plus the modulus is refused as a second nullifier', async () => {
  const bytes = bytesBeyondModulus(settlement.nullifier, FIELD_MODULUS)
  const account = await nullifierAddressOfBytes(fixture.chain.program, bytes)
  const twin = withAccount(withBytes(instruction, 5, bytes), 5, account)
  expect(await send(twin)).toBe('NotAFieldElement')
})

test('I5: a proof is refused with another time or as a refund', async () => {
  const { time } = settlement
  expect(await settleWith({ time: unixSeconds(time + 600n) })).toBe('ProofInvalid')
  fixture.chain.setTime(time)
  expect(await settleWith({ isRefund: true })).toBe('ProofInvalid')
  fixture.chain.setTime(time - 1n)
})

test('a proof is refused with another root', async () => {
  const at = (index: number) => settleWith({ root: { kind: 'recent', index } })
  expect(await at(0)).toBe('ProofInvalid')
  expect(await at(2)).toBe('RootUnknown')
  expect(await at(1_023)).toBe('RootUnknown')
  expect(await at(RECENT)).toBe('RootIndexOutOfRange')
  const checkpoint = (index: number) => settleWith({ root: { kind: 'checkpoint', index } })
  expect(await checkpoint(CHECKPOINTS)).toBe('RootIndexOutOfRange')
  expect(await checkpoint(CHECKPOINTS - 1)).toBe('RootUnknown')
  expect(await send(withBytes(instruction, 2, Uint8Array.of(2)))).toBe('RootIndexOutOfRange')
})

test('a proof with a changed point or the point at infinity is refused', async () => {
  for (const at of [125, 188, 189, 316, 317, 380]) {
    expect(await send(withFlippedBit(instruction, at)), `byte ${at}`).toBe('ProofInvalid')
  }
  expect(await send(withBytes(instruction, 125, new Uint8Array(256)))).toBe('ProofInvalid')
})

test('a proof for one asset cannot move another asset', async () => {
  const { chain, token } = fixture
  await giveTokens(chain, token, settlement.payee, 0n)
  await stock(fixture, token, 1_000_000_000n)
  expect(await send(await settle(fixture, relayer, token, settlement))).toBe('ProofInvalid')
})

test('the unchanged proof is still valid, also against the checkpoint', async () => {
  const hour = Number((fixture.chain.time / 3_600n) % BigInt(CHECKPOINTS))
  expect(await settleWith({ root: { kind: 'checkpoint', index: hour } })).toBeUndefined()
  expect(await send(instruction)).toBe('NullifierSpent')
})
