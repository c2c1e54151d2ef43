import { expect, it } from 'vitest'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { witnessedIndexes } from './witnesses.ts'

const IDS = [new Uint8Array([1]), new Uint8Array([2])]
const NODES = [{}, {}] as unknown as readonly ChainRpc[]

/** The indexes of two orders. `first` is the first node's answer, and each node answers `said` when it is asked. */
const indexesOf = async (
  first: readonly (number | undefined)[],
  said: readonly (number | undefined)[],
  isOwn?: (place: number, index: number) => boolean,
) => {
  const asked: number[] = []
  const indexes = await witnessedIndexes(
    NODES,
    IDS,
    first,
    async (_node, some) => {
      asked.push(some.length)
      return IDS.flatMap((id, place) => (some.includes(id) ? [said[place]] : []))
    },
    isOwn,
  )
  return { asked, indexes }
}

it('asks no other node if each index from the first node belongs to its order’s own leaf', async () => {
  expect(await indexesOf([3, 4], [5, 6], () => true)).toEqual({ asked: [], indexes: [3, 4] })
})

it('asks all nodes about an order whose index from the first node belongs to another leaf', async () => {
  const isOwn = (_place: number, index: number) => index !== 9
  const { asked, indexes } = await indexesOf([9, 4], [3, 6], isOwn)
  expect(asked).toEqual([1, 1])
  expect(indexes).toEqual([3, 4])
})

it('prefers the answer of the first node, and then any answer, if no node shows the order’s own leaf', async () => {
  const isOwn = () => false
  expect((await indexesOf([9, undefined], [8, 7], isOwn)).indexes).toEqual([9, 7])
})
