import { beforeEach, expect, test } from 'vitest'
import type { Address } from '@solana/kit'
import { amount, NATIVE_MINT, type DepositTerms } from '@sotto/protocol'
import { depositPair, draftOrder, sendDeposit } from '../fixtures/deposits.ts'
import {
  expectLanded,
  readAsset,
  startPool,
  stock,
  SWAP_CAP,
  SWAP_PERIOD_SECONDS,
  vaultBalance,
  type PoolFixture,
} from '../fixtures/pool.ts'

const NOTE = 3_000_000_000n
let fixture: PoolFixture

beforeEach(async () => {
  fixture = await startPool()
  // Prepares a user's notes, and more inventory than swaps can take in one period.
  for (const mint of [NATIVE_MINT, fixture.token]) {
    await stock(fixture, mint, 3n * SWAP_CAP)
    const order = await draftOrder(fixture, {
      sourceMint: mint,
      amountOut: NOTE - 7_000n,
      fee: 7_000n,
    })
    expectLanded(await sendDeposit(fixture, order))
  }
})

/** Makes the thief's swap, whose input is zero and whose note has this value. */
async function steal(destinationMint: Address, amountOut: bigint): Promise<string | undefined> {
  const sourceMint = destinationMint === NATIVE_MINT ? fixture.token : NATIVE_MINT
  const wish = { sourceMint, destinationMint, amountIn: 0n, amountOut }
  return (await sendDeposit(fixture, await draftOrder(fixture, wish))).refusal
}

test('draining the inventory stops at the cap', async () => {
  const { chain, token } = fixture
  for (const mint of [NATIVE_MINT, token]) {
    expect(await steal(mint, SWAP_CAP + 1n)).toBe('SwapCapReached')
    for (const part of [1_000_000n, SWAP_CAP / 2n, SWAP_CAP / 2n - 1_000_000n]) {
      expect(await steal(mint, part)).toBeUndefined()
    }
    expect(await steal(mint, 1_000_000n)).toBe('SwapCapReached')
    const books = await readAsset(fixture, mint)
    // The thief took only inventory. The user's note is still fully funded.
    expect(books.inventory).toBe(2n * SWAP_CAP)
    expect(books.owed).toBe(NOTE + SWAP_CAP)
    expect(await vaultBalance(fixture, mint)).toBe(3n * SWAP_CAP + NOTE)
  }
  chain.setTime(chain.time + BigInt(SWAP_PERIOD_SECONDS))
  expect(await steal(token, SWAP_CAP + 1n)).toBe('SwapCapReached')
  expect(await steal(token, SWAP_CAP)).toBeUndefined()
})

test('many small swaps drain no more than the cap and its refill', async () => {
  const { chain, token } = fixture
  const begun = chain.time
  let stolen = 0n
  for (let turn = 0; turn < 60; turn += 1) {
    for (const part of [SWAP_CAP / 4n, SWAP_CAP / 40n, SWAP_CAP / 400n]) {
      if ((await steal(token, part)) === undefined) stolen += part
    }
    chain.setTime(chain.time + BigInt(turn * 7))
  }
  const elapsed = chain.time - begun
  expect(stolen).toBeGreaterThan(SWAP_CAP)
  expect(stolen <= SWAP_CAP + (SWAP_CAP * elapsed) / BigInt(SWAP_PERIOD_SECONDS)).toBe(true)
  expect((await readAsset(fixture, token)).owed).toBe(NOTE + stolen)
})

test('draining stops when the inventory is empty', async () => {
  const { token, chain } = fixture
  for (let period = 0; period < 3; period += 1) {
    expect(await steal(token, SWAP_CAP)).toBeUndefined()
    chain.setTime(chain.time + BigInt(SWAP_PERIOD_SECONDS))
  }
  expect(await steal(token, 1n)).toBe('InsufficientInventory')
  expect((await readAsset(fixture, token)).owed).toBe(NOTE + 3n * SWAP_CAP)
})

test('a note is refused if its value exceeds the amount that was paid in', async () => {
  const refusals: (string | undefined)[] = []
  const forge = async (change: (terms: DepositTerms) => Partial<DepositTerms>) => {
    const order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: NOTE })
    const terms = { ...order.terms, ...change(order.terms) }
    const outcome = await fixture.chain.send([order.sender], await depositPair(fixture, terms))
    refusals.push(outcome.refusal)
  }
  await forge(({ amountIn }) => ({ amountIn: amount(amountIn - 1n) }))
  await forge(() => ({ amountIn: amount(0n) }))
  await forge(({ value }) => ({ value: amount(value + 1n) }))
  await forge(() => ({ value: amount(2n ** 64n - 1n) }))
  expect(new Set(refusals)).toEqual(new Set(['AmountMismatch']))
  expect((await readAsset(fixture, NATIVE_MINT)).owed).toBe(NOTE)
})
