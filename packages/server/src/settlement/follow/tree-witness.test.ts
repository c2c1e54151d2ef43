import { unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { FinalizedHead } from '../../ports/settlement-chain.ts'
import { TreeWitness } from './tree-witness.ts'

const head = (clock: bigint, nextLeaf: bigint): FinalizedHead => ({
  ...{ slot: 1n, blockHeight: 1n },
  ...{ unixSeconds: unixSeconds(clock), nextLeaf },
})

/** The time that these nodes confirm to a tree of so many leaves, if one of them shows the time 1,000. */
async function confirmedBy(heads: readonly FinalizedHead[], leaves: number): Promise<bigint> {
  const witness = new TreeWitness(async () => heads, { nowMs: () => 5 } as never)
  await witness.compare(leaves)
  return witness.confirmed(unixSeconds(1_000n))
}

it('a time counts once two nodes show it with no leaf that the tree lacks', async () => {
  expect(await confirmedBy([head(1_000n, 7n), head(990n, 7n)], 7)).toBe(990n)
  expect(await confirmedBy([head(1_000n, 7n), head(990n, 7n), head(995n, 6n)], 7)).toBe(995n)
  expect(await confirmedBy([head(5_000n, 7n), head(4_000n, 7n)], 7)).toBe(1_000n)
})

it('one node that hides a leaf, or the only one that answers, confirms no time', async () => {
  expect(await confirmedBy([head(1_000n, 7n), head(1_000n, 8n)], 7)).toBe(0n)
  expect(await confirmedBy([head(1_000n, 7n)], 7)).toBe(0n)
})

it('heads that show a new leaf count once the tree has it, and the nodes are asked again after a pause', async () => {
  let [nowMs, seconds, asked] = [0, 1_000n, 0]
  const heads = async () => {
    asked += 1
    return [head(seconds, 8n), head(seconds, 8n)]
  }
  const witness = new TreeWitness(heads, { nowMs: () => nowMs } as never)
  await witness.compare(7)
  expect(witness.confirmed(unixSeconds(1_000n))).toBe(0n)
  await witness.compare(8)
  expect([witness.confirmed(unixSeconds(1_000n)), asked]).toEqual([1_000n, 1])
  ;[nowMs, seconds] = [5_000, 1_005n]
  await witness.compare(8)
  expect([witness.confirmed(unixSeconds(1_010n)), asked]).toEqual([1_005n, 2])
})
