import { lastRefundClock } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { notesOf } from './note-sums.ts'

const EXPIRY = 1_000n
const CHANGE_LEAF = 5n

interface Scene {
  readonly unixSeconds: bigint
  /** True if the tree has the leaf that the note's settlement appends. */
  readonly hasLeaf: boolean
  readonly hasNullifier: boolean
}

/** Returns the sums for a note of value 7, and the Nullifiers that were requested from the node. */
async function sums({ unixSeconds, hasLeaf, hasNullifier }: Scene) {
  const asked: bigint[] = []
  const order = {
    ...{ orderId: new Uint8Array(16), destinationMint: 'm', value: 7n, expiry: EXPIRY },
  }
  const d = {
    random: { below: () => 0 },
    store: {
      listOpen: async () => [order],
      listPayments: async () => [],
      readCursor: async () => ({ unixSeconds }),
      findLeaves: async () => new Map(hasLeaf ? [[CHANGE_LEAF, 1]] : []),
    },
    opener: {
      openPayments: async () => [],
      openAll: async () => [
        { order, terms: {}, note: order, nullifier: 1n, changeLeaf: CHANGE_LEAF },
      ],
    },
    chain: {
      readNullifiers: async (nullifiers: readonly bigint[]) => {
        asked.push(...nullifiers)
        return { slot: 9n, settled: nullifiers.map(() => (hasNullifier ? {} : undefined)) }
      },
    },
  } as unknown as Parameters<typeof notesOf>[0]
  const { byMint, settled } = await notesOf(d, 9n)
  return { sums: byMint.get('m'), settled, asked }
}

it('requests no Nullifier of a note whose change leaf is not in the tree', async () => {
  const unixSeconds = lastRefundClock(EXPIRY)
  const scene = { unixSeconds, hasLeaf: false, hasNullifier: true }
  expect(await sums(scene)).toEqual({
    ...{ sums: { unsettled: 7n, unclear: 0n }, settled: 0, asked: [] },
  })
})

it('I2: counts a note without its change leaf as unclear after the refund window', async () => {
  const unixSeconds = lastRefundClock(EXPIRY) + 1n
  const found = await sums({ unixSeconds, hasLeaf: false, hasNullifier: false })
  expect(found.sums).toEqual({ unsettled: 0n, unclear: 7n })
})

it('counts a note as settled if the tree has its change leaf and its Nullifier exists', async () => {
  const nothing = { unsettled: 0n, unclear: 0n }
  for (const unixSeconds of [0n, 2n * lastRefundClock(EXPIRY)]) {
    const found = await sums({ unixSeconds, hasLeaf: true, hasNullifier: true })
    expect(found).toEqual({ sums: nothing, settled: 1, asked: [1n] })
  }
})

it('counts a note as unsettled if its change leaf came from another note’s settlement', async () => {
  const found = await sums({ unixSeconds: 0n, hasLeaf: true, hasNullifier: false })
  expect(found).toMatchObject({ sums: { unsettled: 7n, unclear: 0n }, settled: 0 })
})
