import { beforeEach, expect, test } from 'vitest'
import { amount, associatedTokenAddress, collectFeesInstruction } from '@sotto/protocol'
import { draftOrder, Ledger, sendDeposit } from './fixtures/deposits.ts'
import {
  expectLanded,
  readAsset,
  startPool,
  vaultBalance,
  type PoolFixture,
} from './fixtures/pool.ts'
import { gridAfter, gridBefore, makeSettlement, settle } from './fixtures/settlements.ts'
import { giveTokens, tokenBalance } from './fixtures/token-accounts.ts'

let fixture: PoolFixture

beforeEach(async () => {
  fixture = await startPool()
})

/** A send of 100 tokens with fee and a partner's share, deposited. */
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

test('a token send pays vault, partner and recipient to the base unit', async () => {
  const { chain, token } = fixture
  const { ledger, order, leafIndex, partnerAccount } = await depositSend()
  const senderToken = await associatedTokenAddress(order.terms.sender, token)
  expect(tokenBalance(chain, senderToken)).toBe(0n)
  expect(tokenBalance(chain, partnerAccount)).toBe(500_000n)
  expect(await vaultBalance(fixture, token)).toBe(100_700_000n)
  const booked = { owed: 100_000_000n, feesToday: 700_000n, inventory: 0n }
  expect(await readAsset(fixture, token)).toMatchObject(booked)

  const payee = await giveTokens(chain, token, order.note.recipient, 5n)
  const relayer = await chain.wallet()
  const settlement = await makeSettlement(ledger, order, leafIndex, { time: gridAfter(chain.time) })
  const instruction = await settle(fixture, relayer, token, settlement)
  expectLanded(await chain.send([relayer], [instruction]))
  expect(tokenBalance(chain, payee)).toBe(100_000_005n)
  expect(await vaultBalance(fixture, token)).toBe(700_000n)
  expect(await readAsset(fixture, token)).toMatchObject({ owed: 0n, feesToday: 700_000n })
})

test('a refunded token send returns amount and fee, and the partner keeps the share', async () => {
  const { chain, token } = fixture
  const { ledger, order, leafIndex, partnerAccount } = await depositSend()
  chain.setTime(order.note.expiry + 601n)
  const relayer = await chain.wallet()
  const wish = { isRefund: true, time: gridBefore(chain.time) }
  const settlement = await makeSettlement(ledger, order, leafIndex, wish)
  const instruction = await settle(fixture, relayer, token, settlement)
  expectLanded(await chain.send([relayer], [instruction]))
  const senderToken = await associatedTokenAddress(order.terms.sender, token)
  expect(tokenBalance(chain, senderToken)).toBe(100_700_000n)
  expect(tokenBalance(chain, partnerAccount)).toBe(500_000n)
  expect(await vaultBalance(fixture, token)).toBe(0n)
})

test('a sender without enough tokens deposits nothing', async () => {
  const { chain, token } = fixture
  const order = await draftOrder(fixture, { sourceMint: token, amountOut: 100n, fee: 1n })
  await giveTokens(chain, token, order.terms.sender, 100n)
  expect((await sendDeposit(fixture, order)).refusal).toMatch(/Custom\(1\)/)
  expect(await readAsset(fixture, token)).toMatchObject({ owed: 0n })
})

test('a refund pays what is left of the fees, and the amount whatever is left', async () => {
  const { chain, token, admin, adminToken } = fixture
  const { ledger, order, leafIndex } = await depositSend()
  chain.setTime(chain.time + 2n * 86_400n)
  const at = { program: chain.program, admin: admin.address, mint: token, destination: adminToken }
  const collect = await collectFeesInstruction(at, amount(600_000n))
  expectLanded(await chain.send([admin], [collect]))
  const relayer = await chain.wallet()
  const wish = { isRefund: true, time: gridBefore(chain.time) }
  const settlement = await makeSettlement(ledger, order, leafIndex, wish)
  const instruction = await settle(fixture, relayer, token, settlement)
  expectLanded(await chain.send([relayer], [instruction]))
  const senderToken = await associatedTokenAddress(order.terms.sender, token)
  expect(tokenBalance(chain, senderToken)).toBe(100_100_000n)
  expect(await readAsset(fixture, token)).toMatchObject({ owed: 0n, feesCollectable: 0n })
  expect(await vaultBalance(fixture, token)).toBe(0n)
})
