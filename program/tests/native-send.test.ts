import { expect, test } from 'vitest'
import { decodeTree, NATIVE_MINT } from '@sotto/protocol'
import { draftOrder, Ledger } from './fixtures/deposits.ts'
import { expectLanded, readAsset, startPool, vaultBalance } from './fixtures/pool.ts'
import { gridAfter, makeSettlement, settle } from './fixtures/settlements.ts'

test('a native send is deposited and delivered to the lamport', async () => {
  const fixture = await startPool()
  const { chain } = fixture
  const ledger = new Ledger()
  const order = await draftOrder(fixture, {
    sourceMint: NATIVE_MINT,
    amountOut: 1_000_000_000n,
    fee: 5_000_000n,
  })
  const leafIndex = await ledger.deposit(fixture, order)
  const tree = decodeTree(chain.data(fixture.tree) ?? new Uint8Array())
  expect(tree.root(0)).toBe(ledger.tree.root)
  expect(await vaultBalance(fixture, NATIVE_MINT)).toBe(1_005_000_000n)

  const relayer = await chain.wallet()
  const before = chain.balance(order.note.recipient)
  const settlement = await makeSettlement(ledger, order, leafIndex, { time: gridAfter(chain.time) })
  const instruction = await settle(fixture, relayer, NATIVE_MINT, settlement)
  expectLanded(await chain.send([relayer], [instruction]))
  expect(chain.balance(order.note.recipient) - before).toBe(1_000_000_000n)
  const asset = await readAsset(fixture, NATIVE_MINT)
  expect(asset).toMatchObject({ owed: 0n, feesToday: 5_000_000n })
  expect(await vaultBalance(fixture, NATIVE_MINT)).toBe(5_000_000n)
})
