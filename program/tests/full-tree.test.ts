import { beforeEach, expect, test } from 'vitest'
import {
  decodeTree,
  NATIVE_MINT,
  RESERVED_LEAVES,
  TREE_LEAVES,
  type Settlement,
} from '@sotto/protocol'
import { draftOrder, sendDeposit, type Order } from './fixtures/deposits.ts'
import { gridAfter } from './fixtures/grid.ts'
import { Ledger } from './fixtures/ledger.ts'
import { readAsset, startPool, type PoolFixture } from './fixtures/pool.ts'
import { makeSettlement, settle } from './fixtures/settlements.ts'

const SEND = { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n, fee: 1_000n }
let fixture: PoolFixture
let ledger: Ledger
let order: Order

beforeEach(async () => {
  fixture = await startPool()
  ledger = new Ledger()
  order = await draftOrder(fixture, SEND)
  await ledger.deposit(fixture, order)
})

/** Sets the Tree's number of leaves. The rest of the account stays unchanged. */
const setNextIndex = (nextIndex: bigint) => {
  fixture.chain.tamper(fixture.tree, (data) =>
    new DataView(data.buffer).setBigUint64(8, nextIndex, true),
  )
}
const treeOnChain = () => decodeTree(fixture.chain.data(fixture.tree) ?? new Uint8Array())
const deposit = async () => (await sendDeposit(fixture, await draftOrder(fixture, SEND))).refusal

async function submit(settlement: Settlement): Promise<string | undefined> {
  const relayer = await fixture.chain.wallet()
  const instruction = await settle(fixture, relayer, NATIVE_MINT, settlement)
  return (await fixture.chain.send([relayer], [instruction])).refusal
}

const delivery = () => makeSettlement(ledger, order, 0, { time: gridAfter(fixture.chain.time) })
const refund = () => {
  const time = order.note.expiry + 600n
  fixture.chain.setTime(time)
  return makeSettlement(ledger, order, 0, { isRefund: true, time })
}

test('a deposit into the reserved last places is refused', async () => {
  const first = TREE_LEAVES - RESERVED_LEAVES
  setNextIndex(first)
  expect(await deposit()).toBe('TreeFull')
  setNextIndex(first - 1n)
  expect(await deposit()).toBeUndefined()
  expect(treeOnChain().nextIndex).toBe(first)
  expect(await deposit()).toBe('TreeFull')
  expect(await submit(await delivery())).toBeUndefined()
  expect(treeOnChain().nextIndex).toBe(first + 1n)
})

test('a settlement can append its leaf at the very last place', async () => {
  setNextIndex(TREE_LEAVES - 1n)
  expect(await submit(await delivery())).toBeUndefined()
  expect(treeOnChain().nextIndex).toBe(TREE_LEAVES)
})

test('in a full tree, only a refund lands', async () => {
  setNextIndex(TREE_LEAVES)
  expect(await deposit()).toBe('TreeFull')
  expect(await submit(await delivery())).toBe('TreeFull')
  const before = fixture.chain.data(fixture.tree)
  expect(await submit(await refund())).toBeUndefined()
  expect(fixture.chain.data(fixture.tree)).toEqual(before)
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ owed: 0n, fees: 0n })
})
