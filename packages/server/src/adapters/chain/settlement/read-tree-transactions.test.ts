import { address } from '@solana/kit'
import { expect, it } from 'vitest'
import { KeptTransactions } from './kept-transactions.ts'
import { readTreeTransactions } from './read-tree-transactions.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

const TREE = address('SysvarC1ock11111111111111111111111111111111')
const HEAD = { slot: 1_000n, blockHeight: 1_000n, unixSeconds: 1n, nextLeaf: 0n }
const COUNT = 40
/** A transaction without any instruction of the program. */
const EMPTY = {
  transaction: { message: { accountKeys: [], instructions: [] } },
  meta: { err: null, innerInstructions: [], loadedAddresses: { readonly: [], writable: [] } },
}

/** A node that returns a number of transactions and then none until the next round. */
function node(patience: number) {
  const shown = new Map<string, number>()
  let left = patience
  const later = (answer: () => unknown) => ({ send: async () => answer() })
  const rpc = {
    getSignaturesForAddress: () =>
      later(() => {
        left = patience
        return Array.from({ length: COUNT }, (_, index) => {
          const signature = `s${COUNT - index}`
          return { signature, slot: BigInt(COUNT - index), err: null, blockTime: 1n }
        })
      }),
    getTransaction: (signature: string) =>
      later(() => {
        left -= 1
        if (left < 0) throw new Error('the node gives no answer')
        shown.set(signature, (shown.get(signature) ?? 0) + 1)
        return EMPTY
      }),
  } as unknown as ChainRpc
  return { rpc, shown }
}

function reader(rpc: ChainRpc, kept = new KeptTransactions()) {
  const at = { rpc, program: TREE, tree: TREE, mintOf: async () => TREE, kept }
  return async () => {
    const read = await readTreeTransactions(at, undefined, HEAD, 0n).catch(() => undefined)
    return read?.map(({ signature }) => signature)
  }
}

const ALL = Array.from({ length: COUNT }, (_, index) => `s${index + 1}`)

it('a backlog longer than a node answers at a time is read in several rounds, each of which goes on', async () => {
  const { rpc, shown } = node(12)
  const read = reader(rpc)
  const rounds = [await read(), await read(), await read(), await read()]
  expect(rounds).toEqual([undefined, undefined, undefined, ALL])
  expect([...shown.values()]).toEqual(ALL.map(() => 1))
})

it('what was read to its end is asked again, as a node may have told it wrongly', async () => {
  const { rpc, shown } = node(COUNT)
  const read = reader(rpc)
  await read()
  expect(await read()).toEqual(ALL)
  expect([...shown.values()]).toEqual(ALL.map(() => 2))
})

it('what is kept has a bound', async () => {
  const kept = new KeptTransactions(5)
  await reader(node(12).rpc, kept)()
  expect(kept.size).toBe(5)
})
