import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token'
import { createNoopSigner, type Address, type KeyPairSigner } from '@solana/kit'
import { beforeEach, expect, test } from 'vitest'
import {
  amount,
  associatedTokenAddress,
  collectFeesInstruction,
  NATIVE_MINT,
  removeInventoryInstruction,
  settlementLayout,
  vaultAddress,
} from '@sotto/protocol'
import {
  depositPair,
  draftOrder,
  recipientOf,
  sendDeposit,
  type Order,
} from './fixtures/deposits.ts'
import { Ledger } from './fixtures/ledger.ts'
import { withAccount } from './fixtures/instruction-edits.ts'
import {
  addAsset,
  expectLanded,
  readAsset,
  startPool,
  stock,
  type PoolFixture,
} from './fixtures/pool.ts'
import { makeSettlement, settle } from './fixtures/settlements.ts'
import { gridAfter, gridBefore } from './fixtures/grid.ts'
import {
  addMetadata,
  guardAccount,
  makeMint2022,
  METADATA_POINTER,
  TOKEN_2022_PROGRAM,
} from './fixtures/token-2022.ts'
import { giveTokens, putTokenProgramAccount, tokenBalance } from './fixtures/token-accounts.ts'

let fixture: PoolFixture
let mint: Address
let made: Awaited<ReturnType<typeof makeMint2022>>

beforeEach(async () => {
  fixture = await startPool()
  const { chain, admin } = fixture
  made = await makeMint2022(chain, [METADATA_POINTER])
  mint = made.mint
  await addAsset(fixture, mint)
  // Metadata can be added after the asset. It changes only the length of the mint's account.
  await addMetadata(chain, made)
  await giveTokens(chain, mint, admin.address, 1_000_000_000n)
})

const balanceOf = async (owner: Address) =>
  tokenBalance(fixture.chain, await associatedTokenAddress(owner, mint, TOKEN_2022_PROGRAM))

const vault = async () => vaultAddress(fixture.chain.program, mint)

/** Deposits a send of 100 tokens with a fee and a partner's share. */
async function depositSend() {
  const { chain } = fixture
  const partner = await chain.wallet()
  const partnerAccount = await giveTokens(chain, mint, partner.address, 0n)
  const ledger = new Ledger()
  const amounts = { amountOut: 100_000_000n, fee: 700_000n, partnerFee: 500_000n }
  const order = await draftOrder(fixture, { sourceMint: mint, ...amounts, partnerAccount })
  const leafIndex = await ledger.deposit(fixture, order)
  return { ledger, order, leafIndex, partner: partner.address }
}

/** Settles with the layout that all settlements have. A delivery also creates the payee's account. */
async function settleByLayout(
  { ledger, order, leafIndex }: { ledger: Ledger; order: Order; leafIndex: number },
  isRefund: boolean,
) {
  const { chain, tree } = fixture
  const time = isRefund ? gridBefore(chain.time) : gridAfter(chain.time)
  const settlement = await makeSettlement(ledger, order, leafIndex, { isRefund, time })
  const relayer = await chain.wallet()
  const tokenProgram = TOKEN_2022_PROGRAM
  const at = { program: chain.program, tree, payer: relayer.address, tokenProgram }
  return chain.send(
    [relayer],
    await settlementLayout(at, order.note.mint, settlement, 1n, !isRefund),
  )
}

test('a Token-2022 send pays the exact amounts to vault, partner and recipient', async () => {
  const sent = await depositSend()
  expect(await balanceOf(sent.order.terms.sender)).toBe(0n)
  expect(await balanceOf(sent.partner)).toBe(500_000n)
  expect(tokenBalance(fixture.chain, await vault())).toBe(100_700_000n)
  expectLanded(await settleByLayout(sent, false))
  expect(await balanceOf(recipientOf(sent.order))).toBe(100_000_000n)
  expect(tokenBalance(fixture.chain, await vault())).toBe(700_000n)
  expect(await readAsset(fixture, mint)).toMatchObject({ owed: 0n, fees: 700_000n })
})

test('a refunded Token-2022 send returns amount and fee', async () => {
  const sent = await depositSend()
  fixture.chain.setTime(sent.order.note.expiry + 601n)
  expectLanded(await settleByLayout(sent, true))
  expect(await balanceOf(sent.order.terms.sender)).toBe(100_700_000n)
  expect(tokenBalance(fixture.chain, await vault())).toBe(0n)
})

test('a Token-2022 asset can be swapped in both directions', async () => {
  const { chain, admin } = fixture
  await stock(fixture, mint, 200_000_000n)
  await stock(fixture, NATIVE_MINT, 2_000_000_000n)
  const ledger = new Ledger()
  const amounts = { amountIn: 1_000_000_000n, amountOut: 150_000_000n, fee: 1_000_000n }
  const into = { sourceMint: NATIVE_MINT, destinationMint: mint, ...amounts }
  const order = await draftOrder(fixture, into)
  const leafIndex = await ledger.deposit(fixture, order)
  expectLanded(await settleByLayout({ ledger, order, leafIndex }, false))
  expect(await balanceOf(recipientOf(order))).toBe(150_000_000n)
  const out = { sourceMint: mint, destinationMint: NATIVE_MINT, amountOut: 900_000_000n }
  const back = await draftOrder(fixture, { ...out, amountIn: 100_000_000n })
  expectLanded(await sendDeposit(fixture, back))
  const books = { inventory: 149_000_000n, owed: 0n, fees: 1_000_000n }
  expect(await readAsset(fixture, mint)).toMatchObject(books)

  const destination = await associatedTokenAddress(admin.address, mint, TOKEN_2022_PROGRAM)
  const at = { program: chain.program, admin: admin.address, mint, destination }
  const by = { ...at, tokenProgram: TOKEN_2022_PROGRAM }
  const remove = await removeInventoryInstruction(by, amount(149_000_000n))
  const collect = await collectFeesInstruction(by, amount(1_000_000n))
  expectLanded(await chain.send([admin], [remove, collect]))
  expect(await balanceOf(admin.address)).toBe(950_000_000n)
  expect(tokenBalance(chain, await vault())).toBe(0n)
})

test('I3: the payee’s account under the other token program is refused', async () => {
  const { chain } = fixture
  const sent = await depositSend()
  const recipient = recipientOf(sent.order)
  await giveTokens(chain, mint, recipient, 0n)
  const time = gridAfter(chain.time)
  const settlement = await makeSettlement(sent.ledger, sent.order, sent.leafIndex, { time })
  const relayer = await chain.wallet()
  const genuine = await settle(fixture, relayer, mint, settlement)
  const legacy = await associatedTokenAddress(recipient, mint)
  const second = (await chain.key()).address
  const own = chain.data(await associatedTokenAddress(recipient, mint, TOKEN_2022_PROGRAM))
  for (const payee of [legacy, second]) {
    putTokenProgramAccount(chain, payee, own ?? new Uint8Array(), TOKEN_2022_PROGRAM)
    const outcome = await chain.send([relayer], [withAccount(genuine, 6, payee)])
    expect(outcome.refusal).toBe('PayeeNotPayable')
  }
  const otherProgram = withAccount(
    genuine,
    9,
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address,
  )
  expect((await chain.send([relayer], [otherProgram])).refusal).toBe('WrongAddress')
  expectLanded(await chain.send([relayer], [genuine]))
})

test('an account of the other token program cannot pay a deposit', async () => {
  const { chain } = fixture
  const order = await draftOrder(fixture, { sourceMint: mint, amountOut: 1_000n })
  const [authorisation, deposit] = await depositPair(fixture, order.terms)
  const from = (await chain.key()).address
  const own = chain.data((deposit.accounts ?? [])[8]?.address ?? from) ?? new Uint8Array()
  putTokenProgramAccount(chain, from, own.slice(0, 165))
  const outcome = await chain.send([order.sender], [authorisation, withAccount(deposit, 8, from)])
  expect(outcome.refusal).toBe('WrongOwner')
  putTokenProgramAccount(chain, from, Uint8Array.of(...own.slice(0, 165), 1), TOKEN_2022_PROGRAM)
  const asMint = await chain.send([order.sender], [authorisation, withAccount(deposit, 8, from)])
  expect(asMint.refusal).toBe('InvalidTokenAccount')
})

/** Creates the wallet's associated account with the real associated token program. */
async function makeAssociated(owner: KeyPairSigner): Promise<Address> {
  const ata = await associatedTokenAddress(owner.address, mint, TOKEN_2022_PROGRAM)
  const create = getCreateAssociatedTokenIdempotentInstruction({
    payer: createNoopSigner(owner.address),
    ata,
    owner: owner.address,
    mint,
    tokenProgram: TOKEN_2022_PROGRAM,
  })
  expectLanded(await fixture.chain.send([owner], [create]))
  return ata
}

test('a payment that a memo guard blocked lands after the recipient removes the guard', async () => {
  const { chain } = fixture
  const recipient = await chain.wallet()
  const account = await makeAssociated(recipient)
  const real = chain.data(account)
  await giveTokens(chain, mint, recipient.address, 0n)
  expect(chain.data(account)).toEqual(real)
  await guardAccount(chain, recipient, account, 'memo', true)
  await guardAccount(chain, recipient, account, 'cpi', true)
  const ledger = new Ledger()
  const wish = { sourceMint: mint, amountOut: 5_000n, recipient: recipient.address }
  const order = await draftOrder(fixture, wish)
  const leafIndex = await ledger.deposit(fixture, order)
  // Token-2022 itself gives the expected error, for a transfer without a memo.
  expect((await settleByLayout({ ledger, order, leafIndex }, false)).refusal).toMatch(
    /Custom\(36\)/,
  )
  await guardAccount(chain, recipient, account, 'memo', false)
  expectLanded(await settleByLayout({ ledger, order, leafIndex }, false))
  expect(tokenBalance(chain, account)).toBe(5_000n)
})

test('I1: a Token-2022 program that reports success but moves nothing is detected', async () => {
  const { chain } = fixture
  const order = await draftOrder(fixture, { sourceMint: mint, amountOut: 100n })
  const memo = chain.svm.getAccount('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo' as Address)
  if (!memo.exists) throw new Error('the memo program is not deployed')
  const binary = new Uint8Array(memo.data)
  chain.svm.addProgramWithLoader(TOKEN_2022_PROGRAM, binary, memo.programAddress)
  expect((await sendDeposit(fixture, order)).refusal).toBe('VaultDeltaMismatch')
})
