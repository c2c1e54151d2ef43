import { address } from '@solana/kit'
import { RECENT, TREE_BYTES, type Address, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { readConfirmedLeaves, readEntries, readTree } from './read-entries.ts'
import { readHead } from './read-head.ts'

const PROGRAM = address('SysvarRent111111111111111111111111111111111')
const TREE = address('SysvarStakeHistory1111111111111111111111111')
const CLOCK_OWNER = address('Sysvar1111111111111111111111111111111111111')
const [RING, ENTRY] = [1_312, 64]
const of = { program: PROGRAM, tree: TREE }

/**
 * A Tree with `count` leaves. Leaf number `i` has the value `i + 1`, and the root after this leaf is `1,000,000 + i`.
 */
function treeData(count: number): Buffer {
  const data = Buffer.alloc(TREE_BYTES)
  data.writeUInt8(2, 0)
  data.writeBigUInt64LE(BigInt(count), 8)
  for (let index = Math.max(0, count - RECENT); index < count; index += 1) {
    const at = RING + (index % RECENT) * ENTRY
    data.writeUInt32BE(index + 1, at + 28)
    data.writeUInt32BE(1_000_000 + index, at + 60)
  }
  return data
}

/** A node with a Tree of `count` leaves. `requests` collects the name of each called method. */
function node(count: number) {
  const requests: string[] = []
  const commitments = new Set<string>()
  const data = treeData(count)
  const shown = (account: Address, slice?: { offset: number; length: number }) => {
    const [whole, owner] = account === TREE ? [data, PROGRAM] : [Buffer.alloc(40), CLOCK_OWNER]
    const part = slice && whole.subarray(slice.offset, slice.offset + slice.length)
    const bytes = part ?? whole
    return { owner, lamports: 1n, executable: false, data: [bytes.toString('base64'), 'base64'] }
  }
  const later = (method: string, answer: () => unknown) => ({
    send: async () => {
      requests.push(method)
      return answer()
    },
  })
  type Options = { dataSlice?: { offset: number; length: number }; commitment: string }
  const rpc = {
    getEpochInfo: () => later('head', () => ({ absoluteSlot: 5n, blockHeight: 5n })),
    getMultipleAccounts: (accounts: readonly Address[], options: Options) =>
      later('accounts', () => {
        commitments.add(options.commitment)
        const value = accounts.map((one) => shown(one, options.dataSlice))
        return { context: { slot: 5n }, value }
      }),
  } as unknown as ChainRpc
  return { rpc, requests, commitments }
}

it('reads the head and the new entries in at most four requests, even if the ring wraps', async () => {
  for (const [count, from, requests] of [
    [700, 690, 3],
    [2 * RECENT + 3, 2 * RECENT - 4, 4],
  ] as const) {
    const seen = node(count)
    const head = await readHead(seen.rpc, of)
    const entries = await readEntries(seen.rpc, of, head, from)
    expect(entries.map(({ leaf }) => leaf)).toEqual(
      Array.from({ length: count - from }, (_, place) => BigInt(from + place + 1)),
    )
    expect(entries.at(-1)?.root).toBe(BigInt(1_000_000 + count - 1))
    expect(seen.requests).toHaveLength(requests)
  }
})

it('reads at most the leaves of the ring at `confirmed`', async () => {
  const { rpc, commitments } = node(3 * RECENT)
  expect(await readConfirmedLeaves(rpc, of, 3 * RECENT - 2)).toHaveLength(2)
  expect(await readConfirmedLeaves(rpc, of, 3 * RECENT)).toEqual([])
  expect(await readConfirmedLeaves(rpc, of, 0)).toHaveLength(RECENT)
  expect([...commitments]).toEqual(['confirmed'])
})

it('a snapshot has exactly the entries of the ring', async () => {
  const { entry, nextLeaf } = await readTree(node(RECENT + 5).rpc, of, 0n)
  expect(nextLeaf).toBe(BigInt(RECENT + 5))
  expect([entry(4), entry(RECENT + 5), entry(-1)]).toEqual([undefined, undefined, undefined])
  expect(entry(5)).toEqual({ leaf: 6n, root: 1_000_005n })
})

it('refuses an account that is not a tree of the program', async () => {
  const { rpc } = node(9)
  const other = { ...of, program: TREE }
  const head = { slot: 1n, blockHeight: 1n, unixSeconds: unixSeconds(1n), nextLeaf: 9n }
  await expect(readEntries(rpc, other, head, 3)).rejects.toThrow('no tree')
  await expect(readTree(rpc, other, 0n)).rejects.toThrow('no tree')
})
