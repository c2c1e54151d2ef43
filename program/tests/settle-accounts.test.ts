import { beforeAll, expect, test } from 'vitest'
import {
  getAddressEncoder,
  lamports,
  type Address,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit'
import {
  assetAddress,
  associatedTokenAddress,
  NATIVE_MINT,
  nullifierAddress,
  setConfigInstruction,
  vaultAddress,
  type Settlement,
} from '@sotto/protocol'
import { draftOrder, recipientOf, type Order } from './fixtures/deposits.ts'
import { Ledger } from './fixtures/ledger.ts'
import {
  withAccount,
  withAccountCount,
  withBytes,
  withDataLength,
  withoutSignature,
  withReadonly,
} from './fixtures/instruction-edits.ts'
import { expectLanded, startPool, type PoolFixture } from './fixtures/pool.ts'
import { makeSettlement, settle } from './fixtures/settlements.ts'
import { gridAfter } from './fixtures/grid.ts'
import {
  encodeTokenAccount,
  giveTokens,
  makeMint,
  putTokenProgramAccount,
} from './fixtures/token-accounts.ts'

const AMOUNT = 1_000_000_000n
const FEE = 3_000n
let fixture: PoolFixture
let relayer: KeyPairSigner
let orders: { native: Order; token: Order }
let settlements: { native: Settlement; token: Settlement }
let native: Instruction
let token: Instruction
let payeeToken: Address

const AT = { pool: 1, tree: 2, asset: 3, vault: 4, nullifier: 5, payee: 6, system: 7 } as const
const MINT = 8
const TOKEN_PROGRAM = 9

beforeAll(async () => {
  fixture = await startPool()
  const { chain } = fixture
  relayer = await chain.wallet()
  const ledger = new Ledger()
  orders = {
    native: await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: AMOUNT, fee: FEE }),
    token: await draftOrder(fixture, { sourceMint: fixture.token, amountOut: AMOUNT, fee: FEE }),
  }
  for (const order of [orders.native, orders.token]) await ledger.deposit(fixture, order)
  const time = gridAfter(chain.time)
  settlements = {
    native: await makeSettlement(ledger, orders.native, 0, { time }),
    token: await makeSettlement(ledger, orders.token, 1, { time }),
  }
  native = await settle(fixture, relayer, NATIVE_MINT, settlements.native)
  token = await settle(fixture, relayer, fixture.token, settlements.token)
  payeeToken = await associatedTokenAddress(recipientOf(orders.token), fixture.token)
})

const send = async (instruction: Instruction) =>
  (await fixture.chain.send([relayer], [instruction])).refusal

test('a wallet in place of any account is refused', async () => {
  const stranger = (await fixture.chain.wallet()).address
  const refusals = {
    pool: 'WrongOwner',
    tree: 'WrongOwner',
    asset: 'WrongOwner',
    vault: 'WrongAddress',
    nullifier: 'WrongAddress',
    payee: 'WrongAddress',
    system: 'WrongAddress',
  } as const
  for (const [name, index] of Object.entries(AT)) {
    const refusal = await send(withAccount(native, index, stranger))
    expect(refusal, name).toBe(refusals[name as keyof typeof AT])
  }
  await giveTokens(fixture.chain, fixture.token, recipientOf(orders.token), 0n)
  expect(await send(withAccount(token, MINT, stranger))).toBe('WrongAddress')
  expect(await send(withAccount(token, TOKEN_PROGRAM, stranger))).toBe('WrongAddress')
  expect(await send(withAccount(token, AT.payee, stranger))).toBe('PayeeNotPayable')
})

test('accounts of the program in each other’s places are refused', async () => {
  const { chain, pool, tree } = fixture
  const otherVault = await vaultAddress(chain.program, fixture.token)
  const otherAsset = await assetAddress(chain.program, fixture.token)
  expect(await send(withAccount(native, AT.pool, tree))).toBe('WrongAccountData')
  expect(await send(withAccount(native, AT.tree, pool))).toBe('WrongAddress')
  expect(await send(withAccount(native, AT.asset, pool))).toBe('WrongAccountData')
  expect(await send(withAccount(native, AT.asset, otherAsset))).toBe('WrongAddress')
  expect(await send(withAccount(native, AT.vault, otherVault))).toBe('WrongAddress')
})

test('a settlement is refused without the payer’s signature, or with wrong accounts or data', async () => {
  const { chain } = fixture
  const other = await chain.wallet()
  const unsigned = await chain.send([other], [withoutSignature(native, 0)])
  expect(unsigned.refusal).toBe('MissingSignature')
  for (const index of [AT.tree, AT.asset, AT.vault, AT.nullifier, AT.payee]) {
    expect(await send(withReadonly(native, index)), `${index}`).toBe('NotWritable')
  }
  for (const instruction of [native, token]) {
    expect(await send(withAccountCount(instruction, -1))).toBe('WrongAccountCount')
    expect(await send(withAccountCount(instruction, 1))).toBe('WrongAccountCount')
    expect(await send(withDataLength(instruction, -1))).toBe('InvalidInstructionData')
    expect(await send(withDataLength(instruction, 1))).toBe('InvalidInstructionData')
    expect(await send(withBytes(instruction, 1, Uint8Array.of(2)))).toBe('InvalidInstructionData')
  }
})

test('I3: tokens go only to the payee’s associated account', async () => {
  const { chain } = fixture
  const recipient = recipientOf(orders.token)
  const stranger = (await chain.wallet()).address
  const second = (await chain.key()).address
  putTokenProgramAccount(chain, second, encodeTokenAccount(fixture.token, recipient, 0n))
  expect(await send(withAccount(token, AT.payee, second))).toBe('PayeeNotPayable')
  const strangersToken = await giveTokens(chain, fixture.token, stranger, 0n)
  expect(await send(withAccount(token, AT.payee, strangersToken))).toBe('PayeeNotPayable')
  const variants = [
    encodeTokenAccount(fixture.token, stranger, 0n),
    encodeTokenAccount(await makeMint(chain), recipient, 0n),
    new Uint8Array(165),
  ]
  for (const data of variants) {
    putTokenProgramAccount(chain, payeeToken, data)
    expect(await send(token)).toBe('PayeeNotPayable')
  }
  putTokenProgramAccount(chain, payeeToken, encodeTokenAccount(fixture.token, recipient, 0n))
})

test('I1: a settlement never pays lamports into an account of the pool or a token account', async () => {
  const { chain, pool, tree, adminToken } = fixture
  const own = [pool, tree, await assetAddress(chain.program, NATIVE_MINT)]
  const vaults = [
    await vaultAddress(chain.program, NATIVE_MINT),
    await vaultAddress(chain.program, fixture.token),
  ]
  const nullifier = await nullifierAddress(chain.program, settlements.native.nullifier)
  for (const payee of [...own, ...vaults, adminToken, nullifier]) {
    const data = new Uint8Array(getAddressEncoder().encode(payee))
    const diverted = withBytes(withAccount(native, AT.payee, payee), 53, data)
    expect(await send(diverted)).toBe('PayeeNotPayable')
  }
})

test('I1: a settlement is refused if the vault would hold too little afterwards', async () => {
  const { chain } = fixture
  const vault = await vaultAddress(chain.program, NATIVE_MINT)
  const genuine = chain.svm.getAccount(vault)
  if (!genuine.exists) throw new Error('the vault is gone')
  chain.svm.setAccount({ ...genuine, lamports: lamports(genuine.lamports - 1n) })
  expect(await send(native)).toBe('VaultShort')
  chain.svm.setAccount({ ...genuine, lamports: lamports(AMOUNT - 1n) })
  expect(await send(native)).toBe('VaultShort')
  chain.svm.setAccount(genuine)
})

test('a settlement is refused if its payout and fee exceed what the asset owes', async () => {
  const { chain } = fixture
  const asset = await assetAddress(chain.program, NATIVE_MINT)
  const setOwed = (owed: bigint) =>
    chain.tamper(asset, (data) => new DataView(data.buffer).setBigUint64(104, owed, true))
  setOwed(AMOUNT + FEE - 1n)
  expect(await send(native)).toBe('OwedShort')
  setOwed(AMOUNT + FEE)
})

test('I1: a settlement is refused if the asset’s fees would exceed u64', async () => {
  const { chain } = fixture
  const asset = await assetAddress(chain.program, NATIVE_MINT)
  const setFees = (fees: bigint) =>
    chain.tamper(asset, (data) => new DataView(data.buffer).setBigUint64(120, fees, true))
  setFees(2n ** 64n - FEE)
  expect(await send(native)).toBe('Overflow')
  setFees(0n)
})

test('a pause of deposits does not block a settlement', async () => {
  const { chain, admin } = fixture
  const at = { program: chain.program, admin: admin.address }
  const closed = { depositsPaused: true, maxDepositSeconds: 1 }
  expectLanded(await chain.send([admin], [await setConfigInstruction(at, closed)]))
  expect(await send(native)).toBeUndefined()
  expect(await send(token)).toBeUndefined()
  expect(chain.balance(recipientOf(orders.native))).toBe(100_000_000_000n + AMOUNT)
})
