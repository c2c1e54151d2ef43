import { expect, test } from 'vitest'
import { CHECKPOINTS, decodeTree, NATIVE_MINT, ROOTS } from '@sotto/protocol'
import { draftOrder, sendDeposit } from '../fixtures/deposits.ts'
import { expectLanded, START } from '../fixtures/pool.ts'
import { takeSnapshot } from '../random/snapshot.ts'
import { relay, settlementOf } from './prepared-pool.ts'
import { withBytes } from '../fixtures/instruction-edits.ts'

test(
  'a root beyond both rings is no root, and neither is a zero one',
  { timeout: 300_000 },
  async () => {
    const snapshot = await takeSnapshot()
    const { world } = snapshot
    const { chain, tree } = world.fixture
    const delivery = settlementOf(snapshot, 4, false)
    const proved = decodeTree(chain.data(tree) ?? new Uint8Array()).root(snapshot.orders.length - 1)
    const isKept = () => {
      const { root, checkpoint } = decodeTree(chain.data(tree) ?? new Uint8Array())
      const places = Array.from({ length: ROOTS }, (_, index) => [root(index), checkpoint(index)])
      return places.flat().includes(proved)
    }
    // One deposit an hour for 1,024 hours writes over every place of both rings.
    expect(ROOTS).toBe(CHECKPOINTS)
    expect(isKept()).toBe(true)
    for (let hour = 1n; hour <= BigInt(ROOTS); hour += 1n) {
      chain.setTime(START + hour * 3_600n)
      const order = await draftOrder(world.fixture, {
        sourceMint: NATIVE_MINT,
        amountOut: 890_880n,
      })
      expectLanded(await sendDeposit(world.fixture, order))
    }
    expect(isKept()).toBe(false)
    // By now the delivery's time is long over. As a chain never would, the clock goes back to it, so
    // that nothing but the root stands against the proof.
    for (const kind of [0, 1]) {
      for (const index of [0, snapshot.orders.length - 1, snapshot.checkpoint, ROOTS - 1]) {
        const place = Uint8Array.of(kind, index & 0xff, index >> 8)
        const attempt = withBytes(delivery.instruction, 2, place)
        expect(await relay(snapshot, delivery.expiry, [attempt])).toBe('ProofInvalid')
      }
    }
    const zeroed = withBytes(delivery.instruction, 2, Uint8Array.of(0, 7, 0))
    chain.tamper(tree, (data) => data.fill(0, 896 + 7 * 32, 896 + 8 * 32))
    expect(await relay(snapshot, delivery.expiry, [zeroed])).toBe('RootUnknown')
  },
)
