import { wasmPoseidon } from '@sotto/poseidon'
import { amount, nullifierOf, RECENT, unixSeconds, type Address, type Note } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { VerifiedTree } from '../follow/verified-tree.ts'
import { KeptProofs } from './kept-proofs.ts'
import { ProofQueue } from './proof-queue.ts'
import type { OpenedOrder } from '../notes/opened-order.ts'
import { prove } from './prove.ts'

const DOMAIN = new Uint8Array(32)
const WALLET = '11111111111111111111111111111112' as Address
const note: Note = {
  ...{ nk: 5n, sender: WALLET, mint: WALLET, value: amount(9n) },
  claim: { kind: 'transfer', recipient: WALLET, amountOut: amount(7n) },
  deadline: unixSeconds(600n),
  expiry: unixSeconds(1_200n),
}
const opened = {
  order: { orderId: new Uint8Array(16) },
  leafIndex: 0,
  note,
  leaf: 3n,
  nullifier: nullifierOf(wasmPoseidon, 5n, 0n),
} as unknown as OpenedOrder
const at = (seconds: bigint) => ({ isRefund: false, time: unixSeconds(seconds) })

function setUp() {
  const tree = new VerifiedTree(wasmPoseidon)
  const grow = (leaves: readonly bigint[]) => {
    tree.appendAll(leaves)
    const { root, size } = tree
    tree.check({ nextLeaf: BigInt(size), rootAfter: () => root })
  }
  grow([3n])
  const position = { leafIndex: 0n, path: [...tree.path(0)] }
  const lasting = { root: { kind: 'checkpoint', index: 4 } as const, position }
  const asked: number[] = []
  const d = {
    ...{ tree, poseidon: wasmPoseidon, pool: { domain: DOMAIN }, proofs: new KeptProofs() },
    proofQueue: new ProofQueue({ nowMs: () => 0 }, 1, 1),
    checkpoints: { locate: async (leaf: number) => (asked.push(leaf), lasting) },
    prover: { prove: async () => new Uint8Array(256) },
    log: { alert: () => undefined },
  } as unknown as Parameters<typeof prove>[0]
  return { d, grow, asked }
}

it('pays the amount out in a delivery, and the whole value in a refund', async () => {
  const { d } = setUp()
  const delivery = await prove(d, opened, at(600n))
  expect([delivery.payout, delivery.fee]).toEqual([7n, 2n])
  const refund = await prove(d, opened, { isRefund: true, time: unixSeconds(1_800n) })
  expect([refund.payout, refund.fee]).toEqual([9n, 0n])
  // Delivery and refund both leave a note of value 0, with the same leaf.
  expect(refund.changeLeaf).toBe(delivery.changeLeaf)
})

it('after a flood of leaves, proves against a root that the chain keeps', async () => {
  const { d, grow, asked } = setUp()
  expect((await prove(d, opened, at(600n))).root).toEqual({ kind: 'recent', index: 0 })
  grow(Array.from({ length: RECENT }, (_, index) => BigInt(index + 10)))
  expect((await prove(d, opened, at(600n))).root).toEqual({ kind: 'checkpoint', index: 4 })
  expect(asked).toEqual([0])
  // For the same time, the kept proof is used again. For a later time, a new proof is made, which also uses a
  // checkpoint's root.
  expect((await prove(d, opened, at(600n))).root.kind).toBe('checkpoint')
  expect((await prove(d, opened, at(1_200n))).root.kind).toBe('checkpoint')
  expect(asked).toEqual([0, 0])
})

it('proves against the newest root at the start of the proof', async () => {
  const { d, grow } = setUp()
  const ends: (() => void)[] = []
  const prover = {
    prove: () =>
      new Promise<Uint8Array>((resolve) => ends.push(() => resolve(new Uint8Array(256)))),
  }
  const slow = { ...d, prover }
  const [first, next, waiting] = [0, 1, 2].map((id) => {
    const order = { orderId: new Uint8Array(16).fill(id) }
    return prove(slow, { ...opened, order } as OpenedOrder, at(600n))
  })
  await new Promise(setImmediate)
  // The prover has two requests: one that it is proving, and one to prove next. Then others deposit.
  expect(ends).toHaveLength(2)
  grow([4n, 5n])
  ends[0]!()
  await new Promise(setImmediate)
  ends[1]!()
  ends[2]!()
  const proved = await Promise.all([first, next, waiting])
  expect(proved.map((one) => one?.root)).toEqual([
    { kind: 'recent', index: 0 },
    { kind: 'recent', index: 0 },
    { kind: 'recent', index: 2 },
  ])
})
