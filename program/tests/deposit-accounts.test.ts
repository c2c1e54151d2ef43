import { beforeEach, expect, test } from 'vitest'
import type { Address, Instruction } from '@solana/kit'
import { assetAddress, NATIVE_MINT, orderAddress, vaultAddress } from '@sotto/protocol'
import { depositPair, draftOrder, sendDeposit, type Order } from './fixtures/deposits.ts'
import {
  withAccount,
  withAccountCount,
  withBytes,
  withDataLength,
  withoutSignature,
  withReadonly,
} from './fixtures/instruction-edits.ts'
import { startPool, stock, type PoolFixture } from './fixtures/pool.ts'
import {
  giveTokens,
  makeMint,
  putTokenProgramAccount,
  encodeTokenAccount,
} from './fixtures/token-accounts.ts'

let fixture: PoolFixture
let order: Order
let authorisation: Instruction
let deposit: Instruction
let stranger: Address

/** Positions of the accounts in a token deposit with a partner fee. */
const AT = { pool: 1, tree: 2, order: 3, asset: 4, vault: 5, system: 7, from: 8, mint: 9 } as const
const TOKEN_PROGRAM = 10
const PARTNER = 11

beforeEach(async () => {
  fixture = await startPool()
  const { chain, token } = fixture
  stranger = (await chain.wallet()).address
  const partnerAccount = await giveTokens(chain, token, stranger, 0n)
  const amounts = { amountOut: 1_000n, fee: 10n, partnerFee: 5n }
  order = await draftOrder(fixture, { sourceMint: token, ...amounts, partnerAccount })
  ;[authorisation, deposit] = await depositPair(fixture, order.terms)
})

const send = async (instruction: Instruction) =>
  (await fixture.chain.send([order.sender], [authorisation, instruction])).refusal

test('the untouched deposit lands', async () => {
  expect(await send(deposit)).toBeUndefined()
})

test('a wallet in place of any account is refused', async () => {
  const refusals = {
    pool: 'WrongOwner',
    tree: 'WrongOwner',
    order: 'WrongAddress',
    asset: 'WrongOwner',
    vault: 'WrongAddress',
    system: 'WrongAddress',
    from: 'WrongOwner',
    mint: 'WrongAddress',
  } as const
  for (const [name, index] of Object.entries(AT)) {
    const refusal = await send(withAccount(deposit, index, stranger))
    expect(refusal, name).toBe(refusals[name as keyof typeof AT])
  }
  expect(await send(withAccount(deposit, TOKEN_PROGRAM, stranger))).toBe('WrongAddress')
  expect(await send(withAccount(deposit, PARTNER, stranger))).toBe('PartnerNotPayable')
})

test('accounts of the program in each other’s places are refused', async () => {
  const { chain, pool, tree } = fixture
  const native = {
    asset: await assetAddress(chain.program, NATIVE_MINT),
    vault: await vaultAddress(chain.program, NATIVE_MINT),
  }
  expect(await send(withAccount(deposit, AT.pool, tree))).toBe('WrongAccountData')
  expect(await send(withAccount(deposit, AT.tree, pool))).toBe('WrongAddress')
  expect(await send(withAccount(deposit, AT.asset, pool))).toBe('WrongAccountData')
  expect(await send(withAccount(deposit, AT.asset, native.asset))).toBe('WrongAddress')
  expect(await send(withAccount(deposit, AT.vault, native.vault))).toBe('WrongAddress')
})

test('a copy of an account at another address is refused', async () => {
  const { chain } = fixture
  for (const index of [AT.pool, AT.tree, AT.asset]) {
    const genuine = chain.svm.getAccount((deposit.accounts ?? [])[index]?.address ?? stranger)
    if (!genuine.exists) throw new Error('no such account')
    const copy = { ...genuine, address: (await chain.key()).address }
    chain.svm.setAccount(copy)
    expect(await send(withAccount(deposit, index, copy.address)), `${index}`).toBe('WrongAddress')
  }
})

test('a deposit is refused without the sender’s signature or with a read-only account', async () => {
  const { chain } = fixture
  const payer = await chain.wallet()
  const unsigned = withoutSignature(deposit, 0)
  const outcome = await chain.send([payer], [authorisation, unsigned])
  expect(outcome.refusal).toBe('MissingSignature')
  for (const index of [AT.tree, AT.order, AT.asset, AT.vault, PARTNER]) {
    expect(await send(withReadonly(deposit, index)), `${index}`).toBe('NotWritable')
  }
})

test('the sender can pay only from their own account of the right mint', async () => {
  const { chain, token } = fixture
  const otherMint = await makeMint(chain)
  const otherToken = await giveTokens(chain, otherMint, order.terms.sender, 10_000n)
  expect(await send(withAccount(deposit, AT.from, otherToken))).toBe('InvalidTokenAccount')
  const victim = (await chain.wallet()).address
  const account = await giveTokens(chain, token, victim, 10_000n)
  expect(await send(withAccount(deposit, AT.from, account))).toBe('InvalidTokenAccount')
  const blank = (await chain.key()).address
  putTokenProgramAccount(chain, blank, new Uint8Array(165))
  expect(await send(withAccount(deposit, AT.from, blank))).toBe('InvalidTokenAccount')
})

test('a partner’s token account must belong to the mint and not to the pool', async () => {
  const { chain, token, pool } = fixture
  const foreign = (await chain.key()).address
  putTokenProgramAccount(chain, foreign, encodeTokenAccount(await makeMint(chain), stranger, 0n))
  const ofPool = (await chain.key()).address
  putTokenProgramAccount(chain, ofPool, encodeTokenAccount(token, pool, 0n))
  const vault = await vaultAddress(chain.program, token)
  for (const partner of [foreign, ofPool, vault, pool]) {
    expect(await send(withAccount(deposit, PARTNER, partner))).toBe('PartnerNotPayable')
  }
})

test('a partner of a native deposit must be a wallet', async () => {
  const { chain, token, pool } = fixture
  const own = await orderAddress(chain.program, order.terms.orderId)
  const tokenVault = await vaultAddress(chain.program, token)
  const nativeVault = await vaultAddress(chain.program, NATIVE_MINT)
  for (const partnerAccount of [pool, tokenVault, nativeVault, own]) {
    const wish = { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n, partnerFee: 1n }
    const draft = await draftOrder(fixture, { ...wish, partnerAccount })
    const terms = { ...draft.terms, orderId: order.terms.orderId }
    expect((await sendDeposit(fixture, { ...draft, terms })).refusal).toBe('PartnerNotPayable')
  }
})

test('a deposit is refused with a wrong number of accounts or wrong data', async () => {
  expect(await send(withAccountCount(deposit, -1))).toBe('WrongAccountCount')
  expect(await send(withAccountCount(deposit, 1))).toBe('WrongAccountCount')
  expect(await send({ ...deposit, accounts: [] })).toBe('WrongAccountCount')
  expect(await send(withDataLength(deposit, -1))).toBe('InvalidInstructionData')
  expect(await send(withDataLength(deposit, 1))).toBe('InvalidInstructionData')
  expect(await send(withBytes(deposit, 1, Uint8Array.of(2)))).toBe('InvalidInstructionData')
  const beyond = new Uint8Array(32).fill(0xff)
  expect(await send(withBytes(deposit, 58, beyond))).toBe('NotAFieldElement')
})

test('amounts that do not add up are refused even if an authoriser signed them', async () => {
  const { token, chain } = fixture
  await stock(fixture, token, 10n)
  const cases = [
    [{ amountIn: 1_001n, amountOut: 1_000n }, 'AmountMismatch'],
    [{ amountIn: 999n, amountOut: 1_000n }, 'AmountMismatch'],
    [{ amountIn: 9n, amountOut: 2n ** 64n - 1n }, 'AmountMismatch'],
    [{ amountIn: 0n, amountOut: 0n }, 'ZeroAmount'],
  ] as const
  for (const [amounts, refusal] of cases) {
    const draft = await draftOrder(fixture, { sourceMint: token, ...amounts })
    expect((await sendDeposit(fixture, draft)).refusal).toBe(refusal)
  }
  const partnerAccount = (await chain.wallet()).address
  const wish = { amountIn: 5n, amountOut: 1_000_000_000n, partnerFee: 6n, partnerAccount }
  const draft = await draftOrder(fixture, { sourceMint: NATIVE_MINT, ...wish })
  expect((await sendDeposit(fixture, draft)).refusal).toBe('AmountMismatch')
})
