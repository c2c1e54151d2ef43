import type { Address } from '@solana/kit'
import { decodeAsset } from '@sotto/protocol'
import { expect } from 'vitest'
import { vaultBalance } from '../fixtures/pool.ts'
import { tokenBalance } from '../fixtures/token-accounts.ts'
import type { Run } from './attempt.ts'
import { excessOf, noteLimits } from './outflow.ts'

/** An account's balance, for comparing the balances of payees before and after a settlement (I3). */
export function heldBy({ snapshot }: Run, account: Parameters<typeof tokenBalance>[1]): bigint {
  const { chain } = snapshot.world.fixture
  const data = chain.data(account)
  return data === undefined || data.length === 0
    ? chain.balance(account)
    : tokenBalance(chain, account)
}

/**
 * Asserts those invariants of docs/invariants.md that the chain enforces. The function uses only the accounts and the
 * landed transactions, and not the model. `before` contains the payees' earlier balances.
 */
export async function expectInvariants(
  run: Run,
  before: ReadonlyMap<Address, bigint> = new Map(),
): Promise<void> {
  const { history, snapshot } = run
  const { world } = snapshot
  for (const asset of [0, 1] as const) {
    const data = world.fixture.chain.data(world.assets[asset])
    const books = decodeAsset(data ?? new Uint8Array())
    const held = await vaultBalance(world.fixture, world.mints[asset])
    const promised = books.owed + books.inventory + books.fees
    expect(held >= promised, `I1: asset ${asset}`).toBe(true)
    expect(books.owed, `I6: no note of asset ${asset} was drained`).toBe(history.open[asset])
    const outflow = history.outflows[asset]
    noteLimits(outflow, books)
    for (const { inventoryBefore, ...swap } of history.swaps) {
      if (swap.asset !== asset) continue
      outflow.swaps.push(swap)
      expect(books.swapUsed <= books.swapCap, 'I6: within the cap').toBe(true)
      expect(
        excessOf(outflow) <= 0n,
        'I6: in any time span, swaps take at most the cap and its refill',
      ).toBe(true)
      if (inventoryBefore === undefined) continue
      expect(books.inventory <= inventoryBefore, 'I6: swaps pay only out of the inventory').toBe(
        true,
      )
    }
  }
  for (const [note, times] of history.settlements) expect(times, `I2: note ${note}`).toBe(1)
  for (const [order, times] of history.deposits) expect(times, `I4: order ${order}`).toBe(1)
  expect(history.lateness, 'I5').toBeUndefined()
  for (const [account, held] of before) {
    const payments = history.paid.filter((one) => one.account === account)
    const promised = payments.reduce((sum, { payout }) => sum + payout, 0n)
    expect(heldBy(run, account) - held, 'I3').toBe(promised)
  }
}
