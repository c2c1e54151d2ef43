import { beforeEach, expect, test } from 'vitest'
import {
  amount,
  associatedTokenAddress,
  NATIVE_MINT,
  setAssetInstruction,
  swapAvailable,
  unixSeconds,
} from '@sotto/protocol'
import { depositPair, draftOrder, recipientOf, sendDeposit } from './fixtures/deposits.ts'
import { Ledger } from './fixtures/ledger.ts'
import {
  DEPOSIT_MAX,
  expectLanded,
  readAsset,
  startPool,
  stock,
  SWAP_CAP,
  SWAP_PERIOD_SECONDS,
  vaultBalance,
  type PoolFixture,
} from './fixtures/pool.ts'
import { makeSettlement } from './fixtures/settlements.ts'
import { gridAfter, gridBefore } from './fixtures/grid.ts'
import { giveTokens, tokenBalance } from './fixtures/token-accounts.ts'

let fixture: PoolFixture

beforeEach(async () => {
  fixture = await startPool()
})

const solToToken = (amountOut: bigint, fee = 0n) => ({
  sourceMint: NATIVE_MINT,
  destinationMint: fixture.token,
  amountIn: 1_000_000_000n,
  amountOut,
  fee,
})

test('a swap of SOL to tokens creates a note of tokens', async () => {
  const { chain, token } = fixture
  await stock(fixture, token, 500_000_000n)
  const ledger = new Ledger()
  const order = await draftOrder(fixture, solToToken(150_000_000n, 1_000_000n))
  const leafIndex = await ledger.deposit(fixture, order)
  const source = { owed: 0n, inventory: 1_000_000_000n, fees: 0n }
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject(source)
  const destination = { owed: 151_000_000n, inventory: 349_000_000n, swapUsed: 151_000_000n }
  expect(await readAsset(fixture, token)).toMatchObject(destination)
  expect(await vaultBalance(fixture, NATIVE_MINT)).toBe(1_000_000_000n)

  const payee = await giveTokens(chain, token, recipientOf(order), 0n)
  const settlement = await makeSettlement(ledger, order, leafIndex, { time: gridAfter(chain.time) })
  await ledger.settle(fixture, await chain.wallet(), token, settlement)
  expect(tokenBalance(chain, payee)).toBe(150_000_000n)
  expect(await readAsset(fixture, token)).toMatchObject({ owed: 0n, fees: 1_000_000n })
})

test('tokens are swapped to SOL, with a partner fee in tokens', async () => {
  const { chain, token } = fixture
  await stock(fixture, NATIVE_MINT, 5_000_000_000n)
  const partner = await chain.wallet()
  const partnerAccount = await giveTokens(chain, token, partner.address, 0n)
  const ledger = new Ledger()
  const order = await draftOrder(fixture, {
    sourceMint: token,
    destinationMint: NATIVE_MINT,
    amountIn: 200_000_000n,
    amountOut: 1_300_000_000n,
    fee: 600_000n,
    partnerFee: 1_000_000n,
    partnerAccount,
  })
  const leafIndex = await ledger.deposit(fixture, order)
  expect(tokenBalance(chain, partnerAccount)).toBe(1_000_000n)
  const source = { owed: 0n, inventory: 199_000_000n, fees: 0n }
  expect(await readAsset(fixture, token)).toMatchObject(source)

  const before = chain.balance(recipientOf(order))
  const settlement = await makeSettlement(ledger, order, leafIndex, { time: gridAfter(chain.time) })
  await ledger.settle(fixture, await chain.wallet(), NATIVE_MINT, settlement)
  expect(chain.balance(recipientOf(order)) - before).toBe(1_300_000_000n)
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ owed: 0n, fees: 600_000n })
})

test('a refunded swap pays the whole note in the destination asset', async () => {
  const { chain, token } = fixture
  await stock(fixture, token, 500_000_000n)
  const ledger = new Ledger()
  const order = await draftOrder(fixture, solToToken(150_000_000n, 1_000_000n))
  const leafIndex = await ledger.deposit(fixture, order)
  chain.setTime(order.note.expiry + 601n)
  const payee = await giveTokens(chain, token, order.terms.sender, 0n)
  const wish = { isRefund: true, time: gridBefore(chain.time) }
  const settlement = await makeSettlement(ledger, order, leafIndex, wish)
  await ledger.settle(fixture, await chain.wallet(), token, settlement)
  expect(tokenBalance(chain, payee)).toBe(151_000_000n)
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ inventory: 1_000_000_000n })
  expect(await readAsset(fixture, token)).toMatchObject({ owed: 0n, fees: 0n })
})

test('I6: a swap of more than the inventory is refused', async () => {
  const { token } = fixture
  await stock(fixture, token, 100n)
  const send = await draftOrder(fixture, { sourceMint: token, amountOut: 1_000n })
  expectLanded(await sendDeposit(fixture, send))
  // The program compares the note's whole value with the inventory, because the inventory also pays the settlement's
  // fee.
  for (const wish of [solToToken(101n), solToToken(100n, 1n)]) {
    const order = await draftOrder(fixture, wish)
    expect((await sendDeposit(fixture, order)).refusal).toBe('InsufficientInventory')
  }
  const fitting = await draftOrder(fixture, solToToken(100n))
  expectLanded(await sendDeposit(fixture, fitting))
})

test('I6: a swap above the remaining cap is refused', async () => {
  const { chain, token, admin } = fixture
  await stock(fixture, token, 4n * SWAP_CAP)
  const swap = async (amountOut: bigint) =>
    sendDeposit(fixture, await draftOrder(fixture, solToToken(amountOut)))
  expectLanded(await swap(SWAP_CAP))
  expect((await swap(1n)).refusal).toBe('SwapCapReached')
  expect((await readAsset(fixture, token)).swapUsed).toBe(SWAP_CAP)
  const at = { program: chain.program, admin: admin.address, mint: token }
  const limits = {
    depositsPaused: false,
    depositMax: amount(DEPOSIT_MAX),
    swapCap: amount(SWAP_CAP + 7n),
    swapPeriodSeconds: SWAP_PERIOD_SECONDS,
  }
  expectLanded(await chain.send([admin], [await setAssetInstruction(at, limits)]))
  expect((await swap(8n)).refusal).toBe('SwapCapReached')
  expectLanded(await swap(7n))

  const half = (SWAP_CAP + 7n) / 2n
  chain.setTime(chain.time + BigInt(SWAP_PERIOD_SECONDS) / 2n)
  const free = async () => swapAvailable(await readAsset(fixture, token), unixSeconds(chain.time))
  expect(await free()).toBe(half)
  expect((await swap(half + 1n)).refusal).toBe('SwapCapReached')
  expectLanded(await swap(half))
  expect(await free()).toBe(0n)
  // The cap was used up half a period ago, so half of the cap is free again. This swap needs more than half. It would
  // land if the whole cap became free at the end of a period.
  chain.setTime(chain.time + BigInt(SWAP_PERIOD_SECONDS) / 2n)
  expect((await swap(half + 2n)).refusal).toBe('SwapCapReached')
  chain.setTime(chain.time + BigInt(SWAP_PERIOD_SECONDS) / 2n)
  expect(await free()).toBe(SWAP_CAP + 7n)
  expectLanded(await swap(SWAP_CAP + 7n))
})

test('a swap of an asset with itself is refused', async () => {
  const { chain, token } = fixture
  await stock(fixture, token, 500n)
  const order = await draftOrder(fixture, { sourceMint: token, amountIn: 10n, amountOut: 10n })
  const [authorisation, deposit] = await depositPair(fixture, order.terms)
  const accounts = deposit.accounts ?? []
  const source = accounts.slice(4, 5)
  const data = new Uint8Array(deposit.data ?? [])
  data[1] = 1
  const swap = {
    ...deposit,
    accounts: [...accounts.slice(0, 8), ...source, ...accounts.slice(8)],
    data,
  }
  const outcome = await chain.send([order.sender], [authorisation, swap])
  expect(outcome.refusal).toBe('SameAsset')
  const senderToken = await associatedTokenAddress(order.terms.sender, token)
  expect(tokenBalance(chain, senderToken)).toBe(10n)
})
