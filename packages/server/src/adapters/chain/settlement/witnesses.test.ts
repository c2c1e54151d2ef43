import { unixSeconds, type Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { SettledNote } from '../../../ports/settlement-chain.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { witnessed } from './witnesses.ts'

const note = (atSeconds: bigint): SettledNote => ({
  atSeconds: unixSeconds(atSeconds),
  rentPayer: 'payer' as Address,
})

/**
 * Calls `witnessed` with two Nullifiers, and returns the accepted facts of the second Nullifier. `first` is the first
 * node's version of the second Nullifier. `said` has each node's own answer; a node that is `down` throws.
 */
async function counted(
  first: SettledNote | undefined,
  said: readonly (bigint | undefined | 'down')[],
  inTree: readonly bigint[] = [],
) {
  const asked: (readonly bigint[])[] = []
  const facts = { slot: 9n, settled: [undefined, first] }
  const ask = async (one: ChainRpc, nullifiers: readonly bigint[]) => {
    asked.push(nullifiers)
    const answer = said[Number(one)]
    if (answer === 'down') throw new Error('down')
    return { slot: 9n, settled: [answer === undefined ? undefined : note(answer)] }
  }
  const nodes = said.map((_, place) => place as unknown as ChainRpc)
  const { settled } = await witnessed(nodes, [1n, 2n], facts, ask, inTree)
  return { settled: settled[1], asked }
}

it('accepts a settlement that two nodes show, even if a third node shows another one', async () => {
  expect((await counted(note(5n), [5n, 5n])).settled).toEqual(note(5n))
  expect((await counted(note(5n), [5n, 7n, 5n])).settled).toEqual(note(5n))
  expect((await counted(note(5n), [5n, 7n, 7n])).settled).toEqual(note(7n))
})

it('marks a Nullifier that only one of several nodes shows', async () => {
  for (const other of [undefined, 'down'] as const) {
    expect((await counted(note(5n), [5n, other])).settled).toMatchObject({
      ...{ atSeconds: 5n, isAlone: true, isDisputed: false },
      isContradicted: other !== 'down',
    })
  }
})

it('marks a settlement as disputed if no version of it has a majority', async () => {
  for (const said of [
    [5n, 7n],
    [7n, 'down'],
    [5n, 5n, 7n, 7n],
    [5n, 6n, 7n],
  ] as const) {
    const shownAt = said.filter((one) => one !== 'down')
    expect((await counted(note(5n), said)).settled).toMatchObject({ isDisputed: true, shownAt })
  }
})

it('asks other nodes only for a nullifier that is public', async () => {
  expect((await counted(note(5n), [5n, 5n])).asked).toEqual([[2n], [2n]])
  expect((await counted(undefined, [5n, 5n])).asked).toEqual([])
})

it('asks all nodes for the Nullifier of a settlement in the tree, even if the first node hides it', async () => {
  const two = await counted(undefined, [undefined, 5n, 5n], [2n])
  expect(two).toEqual({ settled: note(5n), asked: [[2n], [2n], [2n]] })
  // The first node has already answered without the Nullifier. So it contradicts the second node, even if it is down
  // now.
  for (const first of [undefined, 'down'] as const) {
    expect((await counted(undefined, [first, 5n], [2n])).settled).toMatchObject({
      ...{ atSeconds: 5n, isAlone: true, isContradicted: true, isDisputed: false },
    })
  }
  expect((await counted(undefined, [undefined, 5n, 7n], [2n])).settled).toMatchObject({
    ...{ isDisputed: true, shownAt: [5n, 7n] },
  })
  expect((await counted(undefined, [undefined, undefined], [2n])).settled).toBeUndefined()
})
