import { expect, test } from 'vitest'
import { draftOrder } from '../fixtures/deposits.ts'
import { Ledger } from '../fixtures/ledger.ts'
import { readAsset, startPool, vaultBalance } from '../fixtures/pool.ts'
import { makeSettlement } from '../fixtures/settlements.ts'
import { gridAfter } from '../fixtures/grid.ts'
import { giveTokens, tokenBalance } from '../fixtures/token-accounts.ts'

const AMOUNT = 1_000n

test('not prevented: tokens for the Pool as recipient are lost', async () => {
  const fixture = await startPool()
  const { chain, token, pool } = fixture
  const ledger = new Ledger()
  const order = await draftOrder(fixture, { sourceMint: token, amountOut: AMOUNT, recipient: pool })
  const leaf = await ledger.deposit(fixture, order)
  const account = await giveTokens(chain, token, pool, 0n)
  const before = await vaultBalance(fixture, token)
  const made = await makeSettlement(ledger, order, leaf, { time: gridAfter(chain.time) })
  await ledger.settle(fixture, await chain.wallet(), token, made)
  // The vault and the books decrease by the same amount. So only the sender, who chose this payee, loses money.
  expect(tokenBalance(chain, account)).toBe(AMOUNT)
  expect(before - (await vaultBalance(fixture, token))).toBe(AMOUNT)
  expect((await readAsset(fixture, token)).owed).toBe(0n)
})
