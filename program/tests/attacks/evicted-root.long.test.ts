import { expect, test } from 'vitest'
import { CHECKPOINTS, decodeTree, NATIVE_MINT, RECENT } from '@sotto/protocol'
import { draftOrder, sendDeposit } from '../fixtures/deposits.ts'
import { expectLanded, START } from '../fixtures/pool.ts'
import { takeSnapshot } from '../random/snapshot.ts'
import { relay, settlementOf } from './prepared-pool.ts'
import { withBytes } from '../fixtures/instruction-edits.ts'

const ENTRIES_AT = 1_312

test('a root that is not in a ring is refused', { timeout: 300_000 }, async () => {
  const snapshot = await takeSnapshot()
  const { world } = snapshot
  const { chain, tree } = world.fixture
  const delivery = settlementOf(snapshot, 4, false)
  const treeNow = () => decodeTree(chain.data(tree) ?? new Uint8Array())
  const proved = treeNow().recent(snapshot.orders.length - 1).root
  const isKept = () => {
    const { recent, checkpoint } = treeNow()
    const newest = Array.from({ length: RECENT }, (_, index) => recent(index).root)
    const hourly = Array.from({ length: CHECKPOINTS }, (_, index) => checkpoint(index))
    return [...newest, ...hourly].includes(proved)
  }
  // Makes one deposit in each hour until every entry of both rings is overwritten. This takes as many deposits as the
  // longer ring has entries.
  expect(CHECKPOINTS).toBeGreaterThan(RECENT)
  expect(isKept()).toBe(true)
  for (let hour = 1n; hour <= BigInt(CHECKPOINTS); hour += 1n) {
    chain.setTime(START + hour * 3_600n)
    const order = await draftOrder(world.fixture, { sourceMint: NATIVE_MINT, amountOut: 1n })
    expectLanded(await sendDeposit(world.fixture, order))
  }
  expect(isKept()).toBe(false)
  // The delivery's time is now long past. The test sets the clock back, so the missing root is the only reason to
  // refuse the proof. A real chain's clock never goes back.
  for (const kind of [0, 1]) {
    for (const index of [0, snapshot.orders.length - 1, snapshot.checkpoint % RECENT, RECENT - 1]) {
      const place = Uint8Array.of(kind, index & 0xff, index >> 8)
      const attempt = withBytes(delivery.instruction, 2, place)
      expect(await relay(snapshot, delivery.settlement.time, [attempt])).toBe('ProofInvalid')
    }
  }
  const zeroed = withBytes(delivery.instruction, 2, Uint8Array.of(0, 7, 0))
  const root = ENTRIES_AT + 7 * 64 + 32
  chain.tamper(tree, (data) => data.fill(0, root, root + 32))
  expect(await relay(snapshot, delivery.settlement.time, [zeroed])).toBe('RootUnknown')
})
