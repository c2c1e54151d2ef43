import { expect, test } from 'vitest'
import { amount, collectFeesInstruction, NATIVE_MINT } from '@sotto/protocol'
import { draftOrder, type Order } from '../fixtures/deposits.ts'
import { gridAfter, gridBefore } from '../fixtures/grid.ts'
import { Ledger } from '../fixtures/ledger.ts'
import { expectLanded, readAsset, START, startPool, vaultBalance } from '../fixtures/pool.ts'
import { makeSettlement } from '../fixtures/settlements.ts'

const DAY = 86_400n
const AMOUNT = 1_000_000_000n
const FEE = 400_000_000n

test('collecting every fee takes nothing from a note that can still be refunded', async () => {
  const fixture = await startPool()
  const { chain, admin } = fixture
  const ledger = new Ledger()
  const deposit = async (): Promise<[Order, number]> => {
    const wish = { sourceMint: NATIVE_MINT, amountOut: AMOUNT, fee: FEE }
    const order = await draftOrder(fixture, wish)
    return [order, await ledger.deposit(fixture, order)]
  }
  const collect = async (quantity: bigint) => {
    const at = { program: chain.program, admin: admin.address, mint: NATIVE_MINT }
    const wish = { ...at, destination: admin.address }
    const instruction = await collectFeesInstruction(wish, amount(quantity))
    return (await chain.send([admin], [instruction])).refusal
  }
  const [old, oldLeaf] = await deposit()
  const [delivered, leaf] = await deposit()
  // The fee of an undelivered note still belongs to the note: the pool hasn't earned it yet.
  expect(await collect(1n)).toBe('InsufficientFees')
  const made = await makeSettlement(ledger, delivered, leaf, { time: gridAfter(chain.time) })
  await ledger.settle(fixture, await chain.wallet(), NATIVE_MINT, made)
  expect(await collect(FEE)).toBeUndefined()
  expect(await collect(1n)).toBe('InsufficientFees')
  chain.setTime(START + 25n * DAY)
  const before = chain.balance(old.sender.address)
  const wish = { isRefund: true, time: gridBefore(chain.time) }
  const refund = await makeSettlement(ledger, old, oldLeaf, wish)
  expectLanded(await ledger.settle(fixture, await chain.wallet(), NATIVE_MINT, refund))
  expect(chain.balance(old.sender.address) - before).toBe(AMOUNT + FEE)
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ owed: 0n, fees: 0n })
  expect(await vaultBalance(fixture, NATIVE_MINT)).toBe(0n)
})
