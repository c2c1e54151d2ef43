import { MerkleTree, unixSeconds } from '@sotto/protocol'
import { wasmPoseidon } from '@sotto/poseidon'
import { expect, it } from 'vitest'
import type { RootedHead } from '../../ports/settlement-chain.ts'
import { TreeWitness } from './tree-witness.ts'

const LEAVES = [11n, 12n, 13n, 14n, 15n, 16n, 17n, 18n]

const treeOf = (leaves: readonly bigint[]) => {
  const tree = new MerkleTree(wasmPoseidon)
  for (const leaf of leaves) tree.append(leaf)
  return tree
}

/** The head of a node that shows the time `clock` and a tree with these leaves. */
const head = (clock: bigint, leaves: readonly bigint[]): RootedHead => ({
  ...{ slot: 1n, blockHeight: 1n, unixSeconds: unixSeconds(clock) },
  ...{ nextLeaf: BigInt(leaves.length), root: treeOf(leaves).root },
})

const witnessOf = (
  readHeads: () => Promise<readonly RootedHead[]>,
  tree: MerkleTree,
  nowMs: () => number = () => 5,
) => new TreeWitness(readHeads, { clock: { nowMs } as never, poseidon: wasmPoseidon, tree })

/**
 * Returns the time that these nodes confirm for a tree of seven leaves. The worker has followed the chain up to the
 * time 1,000.
 */
async function confirmedBy(heads: readonly RootedHead[]): Promise<bigint> {
  const witness = witnessOf(async () => heads, treeOf(SEVEN))
  witness.publish(await witness.compare())
  return witness.confirmed(unixSeconds(1_000n))
}

const SEVEN = LEAVES.slice(0, 7)
const SIX = LEAVES.slice(0, 6)

it('confirms the second latest time of the nodes that show a root of our tree', async () => {
  expect(await confirmedBy([head(1_000n, SEVEN), head(990n, SEVEN)])).toBe(990n)
  expect(await confirmedBy([head(1_000n, SEVEN), head(990n, SEVEN), head(995n, SIX)])).toBe(995n)
  expect(await confirmedBy([head(5_000n, SEVEN), head(4_000n, SEVEN)])).toBe(1_000n)
})

it('confirms no time of a single node, even if another node shows more leaves', async () => {
  expect(await confirmedBy([head(1_000n, SEVEN), head(1_000n, LEAVES)])).toBe(0n)
  expect(await confirmedBy([head(1_000n, SEVEN)])).toBe(0n)
})

it('I8: confirms no time of nodes that show another leaf in place of one of ours', async () => {
  const replaced = [...SIX, 99n]
  const honest = [head(1_000n, replaced), head(1_000n, replaced)]
  expect(await confirmedBy([head(1_000n, SEVEN), ...honest])).toBe(0n)
  // This tree has only five leaves. Its wrong leaf differs from our fifth leaf, not from our last leaf.
  const earlier = head(1_000n, [...LEAVES.slice(0, 4), 99n])
  expect(await confirmedBy([head(1_000n, SEVEN), earlier, earlier])).toBe(0n)
})

it('confirms a time only after `publish` and before `forget`', async () => {
  const witness = witnessOf(async () => [head(1_000n, SEVEN), head(1_000n, SEVEN)], treeOf(SEVEN))
  const compared = await witness.compare()
  expect([compared, witness.confirmed(unixSeconds(1_000n))]).toEqual([1_000n, 0n])
  witness.publish(compared)
  expect(witness.confirmed(unixSeconds(1_000n))).toBe(1_000n)
  witness.forget()
  expect(witness.confirmed(unixSeconds(1_000n))).toBe(0n)
})

it('confirms the time of a node with a new leaf as soon as our tree has this leaf', async () => {
  let [nowMs, seconds, asked] = [0, 1_000n, 0]
  const heads = async () => {
    asked += 1
    return [head(seconds, LEAVES), head(seconds, LEAVES)]
  }
  const tree = treeOf(SEVEN)
  const witness = witnessOf(heads, tree, () => nowMs)
  expect(await witness.compare()).toBe(0n)
  tree.append(18n)
  expect([await witness.compare(), asked]).toEqual([1_000n, 1])
  ;[nowMs, seconds] = [5_000, 1_005n]
  expect([await witness.compare(), asked]).toEqual([1_005n, 2])
})
