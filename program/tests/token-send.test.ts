import { beforeEach, expect, test } from 'vitest'
import { amount, associatedTokenAddress, collectFeesInstruction } from '@sotto/protocol'
import { draftOrder, recipientOf, sendDeposit } from './fixtures/deposits.ts'
import { gridAfter, gridBefore } from './fixtures/grid.ts'
import { Ledger } from './fixtures/ledger.ts'
import {
  expectLanded,
  readAsset,
  startPool,
  vaultBalance,
  type PoolFixture,
} from './fixtures/pool.ts'
import { makeSettlement, settle } from './fixtures/settlements.ts'
import { giveTokens, tokenBalance } from './fixtures/token-accounts.ts'

let fixture: PoolFixture

beforeEach(async () => {
  fixture = await startPool()
})

/** Deposits a send of 100 tokens with a fee and a partner's share. */
async function depositSend() {
  const { chain, token } = fixture
  const partner = await chain.wallet()
  const partnerAccount = await giveTokens(chain, token, partner.address, 0n)
  const ledger = new Ledger()
  const order = await draftOrder(fixture, {
    sourceMint: token,
    amountOut: 100_000_000n,
    fee: 700_000n,
    partnerFee: 500_000n,
    partnerAccount,
  })
  const leafIndex = await ledger.deposit(fixture, order)
  return { ledger, order, leafIndex, partnerAccount }
}

test('a token send pays the exact amounts to vault, partner and recipient', async () => {
  const { chain, token, admin, adminToken } = fixture
  const { ledger, order, leafIndex, partnerAccount } = await depositSend()
  const senderToken = await associatedTokenAddress(order.terms.sender, token)
  expect(tokenBalance(chain, senderToken)).toBe(0n)
  expect(tokenBalance(chain, partnerAccount)).toBe(500_000n)
  expect(await vaultBalance(fixture, token)).toBe(100_700_000n)
  const booked = { owed: 100_700_000n, fees: 0n, inventory: 0n }
  expect(await readAsset(fixture, token)).toMatchObject(booked)

  const payee = await giveTokens(chain, token, recipientOf(order), 5n)
  const settlement = await makeSettlement(ledger, order, leafIndex, { time: gridAfter(chain.time) })
  await ledger.settle(fixture, await chain.wallet(), token, settlement)
  expect(tokenBalance(chain, payee)).toBe(100_000_005n)
  expect(await vaultBalance(fixture, token)).toBe(700_000n)
  expect(await readAsset(fixture, token)).toMatchObject({ owed: 0n, fees: 700_000n })

  const at = { program: chain.program, admin: admin.address, mint: token, destination: adminToken }
  const collect = await collectFeesInstruction(at, amount(700_000n))
  expectLanded(await chain.send([admin], [collect]))
  expect(await readAsset(fixture, token)).toMatchObject({ owed: 0n, fees: 0n })
  expect(await vaultBalance(fixture, token)).toBe(0n)
})

test('a refunded token send returns everything except the partner’s share', async () => {
  const { chain, token } = fixture
  const { ledger, order, leafIndex, partnerAccount } = await depositSend()
  chain.setTime(order.note.expiry + 601n)
  const wish = { isRefund: true, time: gridBefore(chain.time) }
  const settlement = await makeSettlement(ledger, order, leafIndex, wish)
  await ledger.settle(fixture, await chain.wallet(), token, settlement)
  const senderToken = await associatedTokenAddress(order.terms.sender, token)
  expect(tokenBalance(chain, senderToken)).toBe(100_700_000n)
  expect(tokenBalance(chain, partnerAccount)).toBe(500_000n)
  expect(await vaultBalance(fixture, token)).toBe(0n)
})

test('a refund is refused until the sender’s token account exists', async () => {
  const { chain, token } = fixture
  const { ledger, order, leafIndex } = await depositSend()
  chain.setTime(order.note.expiry + 601n)
  const account = await associatedTokenAddress(order.terms.sender, token)
  const genuine = chain.svm.getAccount(account)
  if (!genuine.exists) throw new Error('the sender has no account')
  chain.svm.setAccount({ ...genuine, lamports: 0n as typeof genuine.lamports })
  const wish = { isRefund: true, time: gridBefore(chain.time) }
  const settlement = await makeSettlement(ledger, order, leafIndex, wish)
  const relayer = await chain.wallet()
  const instruction = await settle(fixture, relayer, token, settlement)
  expect((await chain.send([relayer], [instruction])).refusal).toBe('PayeeNotPayable')
  await giveTokens(chain, token, order.terms.sender, 0n)
  await ledger.settle(fixture, relayer, token, settlement)
  expect(tokenBalance(chain, account)).toBe(100_700_000n)
})

test('a sender without enough tokens cannot deposit', async () => {
  const { chain, token } = fixture
  const order = await draftOrder(fixture, { sourceMint: token, amountOut: 100n, fee: 1n })
  await giveTokens(chain, token, order.terms.sender, 100n)
  expect((await sendDeposit(fixture, order)).refusal).toMatch(/Custom\(1\)/)
  expect(await readAsset(fixture, token)).toMatchObject({ owed: 0n })
})
