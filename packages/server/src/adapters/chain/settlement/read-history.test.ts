import { address } from '@solana/kit'
import type { Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { inBlockOrder } from './block-order.ts'
import { KeptTransactions } from './kept-transactions.ts'
import { HistoryReader } from './read-history.ts'

const TREE = address('SysvarC1ock11111111111111111111111111111111')
const PROGRAM = address('SysvarRent111111111111111111111111111111111')
const HEAD = { slot: 9_000n, blockHeight: 9_000n, unixSeconds: unixSeconds(1n), nextLeaf: 0n }
/** A transaction that contains no instruction of the program. */
const EMPTY = {
  transaction: { message: { accountKeys: [], instructions: [] } },
  meta: { err: null, innerInstructions: [], loadedAddresses: { readonly: [], writable: [] } },
}

interface Node {
  /** Number of transactions that name the tree. Each slot has one such transaction. */
  readonly count: number
  /** Number of transactions that the node returns in each round before further requests fail. */
  readonly patience?: number
  /** Returns true for the index of a failed transaction. */
  readonly hasFailed?: (index: number) => boolean
}

function node({ count, patience = Infinity, hasFailed = () => false }: Node) {
  const shown = new Map<string, number>()
  let pages = 0
  let left = patience
  const later = (answer: () => unknown) => ({ send: async () => answer() })
  const all = Array.from({ length: count }, (_, place) => {
    const index = count - place
    const err = hasFailed(index) ? 'failed' : null
    return { signature: `s${index}`, slot: BigInt(index), err, blockTime: 1n }
  })
  const rpc = {
    getSignaturesForAddress: (_: Address, { before }: { before?: string }) =>
      later(() => {
        pages += 1
        left = patience
        const start =
          before === undefined ? 0 : all.findIndex((one) => one.signature === before) + 1
        return all.slice(start, start + 1_000)
      }),
    getTransaction: (signature: string) =>
      later(() => {
        left -= 1
        if (left < 0) throw new Error('the node gives no answer')
        shown.set(signature, (shown.get(signature) ?? 0) + 1)
        return EMPTY
      }),
  } as unknown as ChainRpc
  return { rpc, shown, pages: () => pages }
}

const readerOf = (rpc: ChainRpc, pagesMax?: number) =>
  new HistoryReader({
    ...{ rpc, program: PROGRAM, tree: TREE, mintOf: async () => TREE },
    ...(pagesMax === undefined ? {} : { pagesMax }),
  })

/** Repeats the read until it succeeds, and returns the number of reads. */
async function readAll(reader: HistoryReader, slotFrom = 0n): Promise<number> {
  for (let reads = 1; reads < 100; reads += 1) {
    const isDone = await reader.read(slotFrom, HEAD).then(
      () => true,
      () => false,
    )
    if (isDone) return reads
  }
  throw new Error('the reading never ends')
}

it('continues an interrupted read without requesting a transaction twice', async () => {
  const { rpc, shown } = node({ count: 40, patience: 12 })
  expect(await readAll(readerOf(rpc))).toBeGreaterThan(2)
  expect(shown.size).toBe(40)
  expect([...shown.values()].every((times) => times === 1)).toBe(true)
})

it('reads a long listing in several rounds, and each page once', async () => {
  const { rpc, pages } = node({ count: 5_500, hasFailed: () => true })
  expect(await readAll(readerOf(rpc, 2))).toBe(3)
  expect(pages()).toBe(6)
})

it('never fetches failed transactions that name the tree', async () => {
  const { rpc, shown } = node({ count: 2_100, hasFailed: (index) => index % 100 !== 0 })
  await readAll(readerOf(rpc))
  expect(shown.size).toBe(21)
})

it('stops listing at the given slot, and fetches no transaction before this slot', async () => {
  const { rpc, shown, pages } = node({ count: 3_000 })
  await readAll(readerOf(rpc), 2_990n)
  expect([shown.size, pages()]).toEqual([11, 1])
})

it('requests all transactions again after `forget`', async () => {
  const { rpc, shown } = node({ count: 5 })
  const reader = readerOf(rpc)
  await readAll(reader)
  await readAll(reader)
  expect([...shown.values()]).toEqual([1, 1, 1, 1, 1])
  reader.forget()
  await readAll(reader)
  expect([...shown.values()]).toEqual([2, 2, 2, 2, 2])
})

it('keeps only a limited number of transactions', async () => {
  const kept = new KeptTransactions(5)
  for (let index = 0; index < 9; index += 1) {
    await kept.fetchOnce(`s${index}`, async () => landed(`s${index}`, 1n))
  }
  expect(kept.size).toBe(5)
})

const landed = (signature: string, slot: bigint) => ({
  ...{ signature, slot, unixSeconds: unixSeconds(1n) },
  appended: [{ kind: 'change' as const, leaf: 1n }],
})

it('sorts the transactions of one slot as in their block', async () => {
  const rpc = {
    getBlock: () => ({ send: async () => ({ signatures: ['x', 'a', 'y', 'b'] }) }),
  } as unknown as ChainRpc
  const listed = [landed('b', 7n), landed('a', 7n), landed('c', 5n)]
  const ordered = await inBlockOrder(rpc, listed)
  expect(ordered.map(({ signature }) => signature)).toEqual(['c', 'a', 'b'])
})

it('keeps the listed order of transactions if no node returns their block', async () => {
  const rpc = {
    getBlock: () => ({ send: () => Promise.reject(new Error('pruned')) }),
  } as unknown as ChainRpc
  const ordered = await inBlockOrder(rpc, [landed('b', 7n), landed('a', 7n)])
  expect(ordered.map(({ signature }) => signature)).toEqual(['b', 'a'])
})
