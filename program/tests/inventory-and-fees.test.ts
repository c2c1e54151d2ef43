import { beforeEach, expect, test } from 'vitest'
import type { Address, Instruction } from '@solana/kit'
import {
  addInventoryInstruction,
  amount,
  assetAddress,
  collectFeesInstruction,
  NATIVE_MINT,
  removeInventoryInstruction,
  vaultAddress,
} from '@sotto/protocol'
import { draftOrder, recipientOf } from './fixtures/deposits.ts'
import { gridAfter } from './fixtures/grid.ts'
import {
  withAccount,
  withAccountCount,
  withBytes,
  withDataLength,
  withoutSignature,
  withReadonly,
} from './fixtures/instruction-edits.ts'
import { Ledger } from './fixtures/ledger.ts'
import { readAsset, startPool, stock, vaultBalance, type PoolFixture } from './fixtures/pool.ts'
import { makeSettlement } from './fixtures/settlements.ts'
import { giveTokens, tokenBalance } from './fixtures/token-accounts.ts'

let fixture: PoolFixture
let wallet: Address
let tokenAccount: Address

beforeEach(async () => {
  fixture = await startPool()
  wallet = (await fixture.chain.wallet()).address
  tokenAccount = await giveTokens(fixture.chain, fixture.token, wallet, 0n)
})

const at = (mint: Address) => ({
  program: fixture.chain.program,
  admin: fixture.admin.address,
  mint,
  destination: mint === NATIVE_MINT ? wallet : tokenAccount,
})
const collect = (mint: Address, quantity: bigint) =>
  collectFeesInstruction(at(mint), amount(quantity))
const remove = (mint: Address, quantity: bigint) =>
  removeInventoryInstruction(at(mint), amount(quantity))
const add = (mint: Address, quantity: bigint) =>
  addInventoryInstruction(
    { ...at(mint), ...(mint === NATIVE_MINT ? {} : { source: fixture.adminToken }) },
    amount(quantity),
  )

const send = async (instruction: Instruction, signers = [fixture.admin]) =>
  (await fixture.chain.send(signers, [instruction])).refusal
const received = (mint: Address) =>
  mint === NATIVE_MINT
    ? fixture.chain.balance(wallet) - 100_000_000_000n
    : tokenBalance(fixture.chain, tokenAccount)

/** Deposits a send of 1 SOL or 1,000 tokens, whose settlement will earn a fee. Also returns the index of its leaf. */
async function depositWithFee(mint: Address, fee: bigint, ledger = new Ledger()) {
  const order = await draftOrder(fixture, { sourceMint: mint, amountOut: 1_000_000_000n, fee })
  return [order, await ledger.deposit(fixture, order)] as const
}

const bothMints = () => [NATIVE_MINT, fixture.token]

test('a withdrawal of more than the inventory is refused', async () => {
  for (const mint of bothMints()) {
    await depositWithFee(mint, 50n)
    await stock(fixture, mint, 700_000n)
    expect(await readAsset(fixture, mint)).toMatchObject({ inventory: 700_000n })
    expect(await vaultBalance(fixture, mint)).toBe(1_000_700_050n)
    expect(await send(await remove(mint, 700_001n))).toBe('InsufficientInventory')
    expect(await send(await remove(mint, 700_000n))).toBeUndefined()
    expect(received(mint)).toBe(700_000n)
    expect(await send(await remove(mint, 1n))).toBe('InsufficientInventory')
    expect(await vaultBalance(fixture, mint)).toBe(1_000_000_050n)
  }
})

test('only fees that a settlement earned can be collected', async () => {
  const { chain } = fixture
  const ledger = new Ledger()
  for (const mint of bothMints()) {
    await stock(fixture, mint, 10_000n)
    const [order, leafIndex] = await depositWithFee(mint, 900_000n, ledger)
    await depositWithFee(mint, 70n, ledger)
    expect(await send(await collect(mint, 1n))).toBe('InsufficientFees')
    if (mint !== NATIVE_MINT) await giveTokens(chain, mint, recipientOf(order), 0n)
    const made = await makeSettlement(ledger, order, leafIndex, { time: gridAfter(chain.time) })
    await ledger.settle(fixture, await chain.wallet(), mint, made)
    expect(await send(await collect(mint, 900_001n))).toBe('InsufficientFees')
    expect(await send(await collect(mint, 900_000n))).toBeUndefined()
    expect(received(mint)).toBe(900_000n)
    const left = { owed: 1_000_000_070n, inventory: 10_000n, fees: 0n }
    expect(await readAsset(fixture, mint)).toMatchObject(left)
    expect(await vaultBalance(fixture, mint)).toBe(1_000_010_070n)
    expect(await send(await collect(mint, 1n))).toBe('InsufficientFees')
  }
})

test('only the admin moves inventory and fees', async () => {
  const thief = await fixture.chain.wallet()
  for (const mint of bothMints()) {
    await stock(fixture, mint, 10_000n)
    for (const instruction of [
      await add(mint, 1n),
      await remove(mint, 1n),
      await collect(mint, 1n),
    ]) {
      const byThief = withAccount(instruction, 0, thief.address)
      expect(await send(byThief, [thief])).toBe('NotAdmin')
      expect(await send(withoutSignature(instruction, 0), [thief])).toBe('MissingSignature')
    }
  }
})

test('inventory can come only from the admin’s own account', async () => {
  const { token } = fixture
  expect(await send(withAccount(await add(NATIVE_MINT, 1n), 4, wallet))).toBe('WrongAddress')
  const fromOther = withAccount(await add(token, 1n), 4, tokenAccount)
  expect(await send(fromOther)).toBe('InvalidTokenAccount')
})

test('money never moves from a vault into an account of the pool', async () => {
  const { chain, token, pool, tree } = fixture
  const own = [pool, tree, await assetAddress(chain.program, token)]
  const vaults = [
    await vaultAddress(chain.program, NATIVE_MINT),
    await vaultAddress(chain.program, token),
  ]
  for (const mint of bothMints()) await stock(fixture, mint, 10_000n)
  for (const destination of [...own, ...vaults]) {
    const native = withAccount(await remove(NATIVE_MINT, 1n), 4, destination)
    expect(await send(native)).toBe('PayeeNotPayable')
    const tokens = withAccount(await remove(token, 1n), 4, destination)
    expect(await send(tokens)).toBe('PayeeNotPayable')
  }
  expect(await send(withAccount(await remove(token, 1n), 4, wallet))).toBe('PayeeNotPayable')
})

test('another mint, program, vault or asset is refused', async () => {
  const { chain, token, adminToken } = fixture
  for (const mint of bothMints()) await stock(fixture, mint, 10_000n)
  const nativeVault = await vaultAddress(chain.program, NATIVE_MINT)
  const nativeAsset = await assetAddress(chain.program, NATIVE_MINT)
  for (const instruction of [await add(token, 1n), await remove(token, 1n)]) {
    expect(await send(withAccount(instruction, 3, nativeVault))).toBe('WrongAddress')
    expect(await send(withAccount(instruction, 2, nativeAsset))).toBe('WrongAddress')
    expect(await send(withAccount(instruction, 2, adminToken))).toBe('WrongOwner')
    expect(await send(withAccount(instruction, 5, NATIVE_MINT))).toBe('WrongAddress')
    expect(await send(withAccount(instruction, 6, wallet))).toBe('WrongAddress')
  }
})

test('moving inventory or fees is refused with wrong accounts or data', async () => {
  for (const mint of bothMints()) {
    await stock(fixture, mint, 10_000n)
    for (const instruction of [
      await add(mint, 1n),
      await remove(mint, 1n),
      await collect(mint, 1n),
    ]) {
      expect(await send(withBytes(instruction, 1, new Uint8Array(8)))).toBe('ZeroAmount')
      expect(await send(withDataLength(instruction, -1))).toBe('InvalidInstructionData')
      expect(await send(withDataLength(instruction, 1))).toBe('InvalidInstructionData')
      expect(await send(withAccountCount(instruction, -1))).toBe('WrongAccountCount')
      expect(await send(withAccountCount(instruction, 1))).toBe('WrongAccountCount')
    }
    for (const instruction of [await remove(mint, 1n), await collect(mint, 1n)]) {
      expect(await send(withReadonly(instruction, 4))).toBe('NotWritable')
    }
    expect(await send(withReadonly(await add(mint, 1n), 2))).toBe('NotWritable')
  }
})

test('I1: an amount beyond u64 in the books is refused', async () => {
  const { chain, token } = fixture
  const asset = await assetAddress(chain.program, token)
  chain.tamper(asset, (data) => data.fill(0xff, 112, 120))
  expect(await send(await add(token, 1n))).toBe('Overflow')
})

test('I1: an admin instruction is refused if the vault holds less than the books require', async () => {
  const { chain } = fixture
  for (const mint of bothMints()) {
    await stock(fixture, mint, 10_000n)
    await depositWithFee(mint, 0n)
    const asset = await assetAddress(chain.program, mint)
    // Writes a larger amount into the books than the vault holds. No sequence of instructions could do this.
    chain.tamper(asset, (data) => new DataView(data.buffer).setBigUint64(104, 2_000_000_000n, true))
    expect(await send(await remove(mint, 1n))).toBe('VaultShort')
    expect(await send(await add(mint, 1n))).toBe('VaultShort')
  }
})
