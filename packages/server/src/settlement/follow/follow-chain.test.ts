import { MerkleTree, NATIVE_MINT, unixSeconds, type Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { poseidonLite } from '../../adapters/poseidon/poseidon-lite.ts'
import type {
  FinalizedHead,
  FollowedDeposit,
  TreeTransaction,
} from '../../ports/settlement-chain.ts'
import type { FollowedBatch, StoredLeaf } from '../../ports/settlement-store.ts'
import { followChain, type FollowDependencies } from './follow-chain.ts'
import { leafRow } from './landed-deposit.ts'
import { VerifiedTree } from './verified-tree.ts'

const SENDER = 'SysvarC1ock11111111111111111111111111111111' as Address
/** Slots of the transactions: ten apart. */
const slotOf = (index: number) => BigInt(10 * (index + 1))

function deposit(index: number): FollowedDeposit {
  const id = new Uint8Array(16).fill(index + 1)
  const mints = { sourceMint: NATIVE_MINT, destinationMint: NATIVE_MINT, isSwap: false }
  const amounts = { amountIn: 3n, amountOut: 2n, fee: 1n, partnerFee: 0n }
  const terms = { ...mints, ...amounts, sender: SENDER, inner: 7n, deadline: 9n, expiry: 600n }
  return { orderId: id, ...terms } as unknown as FollowedDeposit
}

const chain: TreeTransaction[] = [0, 1, 2, 3].map((index) => ({
  ...{ signature: `s${index}`, slot: slotOf(index), unixSeconds: 1n },
  deposits: [deposit(index)],
}))
const leavesOf = (history: readonly TreeTransaction[]): StoredLeaf[] =>
  history.map(({ deposits, ...landed }, leafIndex) =>
    leafRow(poseidonLite, { deposit: deposits[0]!, ...landed, leafIndex }),
  )
const leaves = leavesOf(chain)
/** The first order's id again, as if its Order was closed, with other terms and another note. */
const repeated = (terms: Partial<FollowedDeposit>): TreeTransaction[] =>
  chain.map((landed, index) =>
    index === 2 ? { ...landed, deposits: [{ ...deposit(0), ...terms }] } : landed,
  )

interface Scene {
  readonly stored: readonly StoredLeaf[]
  readonly cursorSlot: bigint
  readonly head: Partial<FinalizedHead>
  /** The transactions that landed, if they differ. */
  readonly onChain?: readonly TreeTransaction[]
  /** The history that the node still has. */
  readonly history?: readonly TreeTransaction[]
  /** Rounds in which the node omits a transaction from its listing, by signature. */
  readonly hidden?: { readonly signature: string; readonly rounds: number }
  /** How the first leaf's order, which still waits for its deposit, differs from the leaf. */
  readonly disputed?: Partial<FollowedDeposit>
  /** Rounds in which the node doesn't answer with its roots; one more follows them. */
  readonly roundsWithoutRoots?: number
  /** The head of the node that a rescan reaches, if it differs. */
  readonly rescanHead?: Partial<FinalizedHead>
}

const same = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0

/** A store in the scene's state, which accepts every step and keeps none. */
function storeOf({ stored, cursorSlot, disputed }: Scene, batches: FollowedBatch[]) {
  const awaiting = disputed === undefined ? [] : [{ ...deposit(0), epoch: 0, ...disputed }]
  return {
    readLeaves: async (from: number) => stored.slice(from).map(({ leaf }) => leaf),
    readCursor: async () => ({ lastSignature: 's', slot: cursorSlot, unixSeconds: 1n }),
    readKnownLeaves: async (ids: readonly Uint8Array[], below = Infinity) =>
      stored.filter((one) => one.index < below && ids.some((id) => same(one.orderId, id))),
    readLeafSlot: async (index: number) => stored[index]!.slot,
    readAwaiting: async () => awaiting,
    listDisputed: async () =>
      awaiting.flatMap((order) =>
        stored
          .filter(({ orderId }) => same(orderId, order.orderId))
          .map(({ leaf, index, slot }) => ({ ...order, leaf, leafIndex: index, leafSlot: slot })),
      ),
    tryRecord: async (batch: FollowedBatch) => batches.push(batch) > 0,
  }
}

/** Follows with the scene's node and store, with one tree for all rounds. */
async function follow(scene: Scene) {
  const { head, history = chain } = scene
  const whole = new MerkleTree(poseidonLite)
  const roots = leavesOf(scene.onChain ?? chain).map(({ leaf }) => whole.append(leaf))
  let rootless = scene.roundsWithoutRoots ?? 0
  const rounds = rootless + (scene.hidden?.rounds ?? 0) + 1
  let round = 0
  const readFrom: bigint[] = []
  const states: { size: number; isVerified: boolean; isRefuted: boolean }[] = []
  const batches: FollowedBatch[] = []
  const errors: string[] = []
  const provable: number[] = []
  const alerts: string[] = []
  let isRescan = false
  const found = { slot: 50n, blockHeight: 50n, unixSeconds: 1_000n, nextLeaf: 4n, ...head }
  const d = {
    poseidon: poseidonLite,
    clock: { nowMs: () => round * 60_000 },
    log: {
      alert: (code: string) => void alerts.push(code),
      failed: () => undefined,
      event: (name: string) => (isRescan = name === 'rescan'),
    },
    chain: {
      readHead: async () => (isRescan ? { ...found, ...scene.rescanHead } : found),
      readTreeTransactions: async (_last: string | undefined, _head: unknown, from: bigint) => {
        readFrom.push(from)
        const isShown = (signature: string) =>
          signature !== scene.hidden?.signature || round >= scene.hidden.rounds
        return history.filter(({ signature, slot }) => slot >= from && isShown(signature))
      },
      readRoots: async () => {
        provable.push(tree.isVerified ? tree.size : 0)
        rootless -= 1
        if (rootless >= 0) throw new Error('the node gives no answer')
        return { nextLeaf: 4n, rootAfter: (index: number) => roots[index] }
      },
    },
    secrets: { read: async () => undefined },
    store: storeOf(scene, batches),
  } as unknown as FollowDependencies
  const tree = new VerifiedTree(poseidonLite)
  let error: unknown
  for (; round < rounds; round += 1) {
    isRescan = false
    error = await followChain(d, tree).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (error !== undefined) errors.push(String(error))
    const { size, isVerified, isRefuted } = tree
    states.push({ size, isVerified, isRefuted })
  }
  return { alerts, batches, error, errors, provable, readFrom, states }
}

it('I8: what is recorded holds every leaf of the head whose clock ends orders', async () => {
  const { batches } = await follow({ stored: leaves.slice(0, 2), cursorSlot: 20n, head: {} })
  expect(batches).toHaveLength(1)
  expect(batches[0]!.head.unixSeconds).toBe(1_000n)
  expect(batches[0]!.leaves.map(({ index }) => index)).toEqual([2, 3])
})

it('I8: nothing expires on a clock whose leaves are not all known', async () => {
  const history = chain.slice(0, 3)
  const { batches, error } = await follow({
    ...{ stored: leaves.slice(0, 2), cursorSlot: 20n, history },
    head: { unixSeconds: 1_000_000n },
  })
  expect(batches).toEqual([])
  expect(error).toBeInstanceOf(Error)
})

it('I8: a node behind what is known says nothing, whatever its clock', async () => {
  const late = { slot: 49n, unixSeconds: 1_000_000n }
  const { batches, error } = await follow({ stored: leaves, cursorSlot: 50n, head: late })
  expect([batches, error]).toEqual([[], undefined])
})

it('a leaf that went missing is read again from a node without old history', async () => {
  const { batches } = await follow({
    // The cursor is past the third deposit, whose leaf is gone.
    ...{ stored: leaves.slice(0, 2), cursorSlot: 35n, head: {} },
    history: chain.slice(1),
  })
  expect(batches).toHaveLength(1)
  expect(batches[0]).toMatchObject({ isRescan: true, keep: 2 })
  expect(batches[0]!.leaves).toEqual(leaves.slice(2))
})

it('deposits are followed once the node that told them tells their root as well', async () => {
  const { batches, error } = await follow({
    ...{ stored: leaves.slice(0, 2), cursorSlot: 20n, head: {} },
    roundsWithoutRoots: 2,
  })
  expect(error).toBeUndefined()
  expect(batches).toHaveLength(1)
  expect(batches[0]).toMatchObject({ isRescan: false, leaves: leaves.slice(2) })
})

it('I9: a listing that is left out costs no reading of old history and no confirmed leaf', async () => {
  const seen = await follow({
    ...{ stored: leaves.slice(0, 2), cursorSlot: 20n, head: {} },
    hidden: { signature: 's2', rounds: 2 },
  })
  const fewer = 'Error: the node shows fewer transactions than leaves'
  expect(seen.errors).toEqual([fewer, fewer])
  expect(seen.readFrom.every((slot) => slot === 20n)).toBe(true)
  const kept = { size: 2, isVerified: true, isRefuted: false }
  expect(seen.states).toEqual([kept, kept, { size: 4, isVerified: true, isRefuted: false }])
  expect(seen.batches.map((batch) => batch.leaves)).toEqual([leaves.slice(2)])
})

it('what is known can be proved while the node is asked for what is new', async () => {
  const { provable, states } = await follow({
    ...{ stored: leaves.slice(0, 2), cursorSlot: 20n, head: {} },
    hidden: { signature: 's2', rounds: 1 },
  })
  // The first round ends with the two leaves that the chain confirms; the second one takes in the others.
  expect(states.map(({ size }) => size)).toEqual([2, 4])
  expect(provable.at(-1)).toBe(2)
})

it('I9: a listing that stays left out for minutes counts as a difference until it is shown', async () => {
  const { states } = await follow({
    ...{ stored: leaves.slice(0, 2), cursorSlot: 20n, head: {} },
    hidden: { signature: 's2', rounds: 4 },
  })
  expect(states.map(({ isRefuted }) => isRefuted)).toEqual([false, false, true, true, false])
})

it('I9: a node behind what is known refutes nothing when it is asked in place of another', async () => {
  const { states, errors } = await follow({
    ...{ stored: leaves.slice(0, 2), cursorSlot: 20n, head: {} },
    hidden: { signature: 's2', rounds: 4 },
    rescanHead: { slot: 15n, nextLeaf: 1n },
  })
  expect(states.map(({ isRefuted }) => isRefuted)).toEqual(Array(5).fill(false))
  expect(errors).toHaveLength(4)
})

it('a first deposit that lands between two answers of the chain is no difference', async () => {
  const head = { slot: 5n, nextLeaf: 0n }
  const { batches, error } = await follow({ stored: [], cursorSlot: 0n, head, history: [] })
  expect(error).toBeUndefined()
  expect(batches).toMatchObject([{ isRescan: false, leaves: [] }])
})

it('transactions that are listed twice, or in another order than theirs, heal at once', async () => {
  const { batches, error } = await follow({
    ...{ stored: [], cursorSlot: 0n, head: {} },
    history: [...chain.toReversed(), chain[2]!],
  })
  expect(error).toBeUndefined()
  expect(batches).toMatchObject([{ isRescan: false, lastSignature: 's3', leaves }])
})

const WAITING: Scene = { stored: leaves, cursorSlot: 45n, head: {} }

it('I8: an order whose own note differs in terms that could not be taken over is no other’s', async () => {
  const { batches } = await follow({ ...WAITING, disputed: { destinationMint: SENDER } })
  expect(batches).toHaveLength(1)
  expect(batches[0]!.disowned).toEqual([])
  // They are offered again, since their asset may be listed by now.
  expect(batches[0]!.deposits).toMatchObject([
    { signature: 's0', slot: 10n, leafIndex: 0, adopted: { destinationMint: NATIVE_MINT } },
  ])
})

it('an order whose id another note took expires', async () => {
  const { batches } = await follow({ ...WAITING, disputed: { inner: 8n } })
  expect(batches[0]).toMatchObject({ disowned: [deposit(0).orderId], deposits: [] })
})

it('I8: an order whose leaf no node explains does not expire', async () => {
  const history = chain.slice(1)
  const { batches } = await follow({ ...WAITING, disputed: { inner: 8n }, history })
  expect(batches[0]).toMatchObject({ disowned: [], deposits: [] })
})

it('a deposit whose id was deposited before is one leaf more, of no order, and told', async () => {
  const onChain = repeated({ inner: 8n, deadline: unixSeconds(90_009n) })
  const all = leavesOf(onChain)
  const wrong = [all[0]!, { ...all[1]!, leaf: 5n }]
  const cases = [all.slice(0, 2), all.slice(0, 3), [], wrong]
  for (const [index, stored] of cases.entries()) {
    const cursorSlot = slotOf(stored.length - 1)
    const seen = await follow({ onChain, history: onChain, cursorSlot, head: {}, stored })
    expect(seen.error).toBeUndefined()
    expect(seen.batches).toMatchObject([{ leaves: all.slice([2, 3, 0, 1][index]), deposits: [] }])
    expect(seen.alerts).toEqual(stored.length === 3 ? [] : ['deposit_terms_differ'])
  }
})

it('of two deposits of an order that waits for one, its own is the first that its note opens', async () => {
  const another = { ...chain[0]!, deposits: [{ ...deposit(0), inner: 8n }] }
  for (const [onChain, leafIndex] of [
    [repeated({ deadline: unixSeconds(90_009n) }), 0],
    [repeated({}).with(0, another), 2],
  ] as const) {
    const scene = { onChain, history: onChain, head: {} }
    // Both are new; then both are known, with terms that couldn't be accepted until now.
    const fresh = await follow({ ...scene, stored: [], cursorSlot: 0n, disputed: {} })
    const disputed = { destinationMint: SENDER }
    const known = { stored: leavesOf(onChain), cursorSlot: 45n, disputed }
    for (const { batches } of [fresh, await follow({ ...scene, ...known })]) {
      expect(batches).toMatchObject([{ deposits: [{ leafIndex }], disowned: [] }])
    }
  }
})

it('I8: an order whose id two notes took expires once both are known to be of others', async () => {
  const onChain = repeated({ inner: 6n })
  const scene = { stored: leavesOf(onChain), cursorSlot: 45n, head: {}, disputed: { inner: 8n } }
  const { batches } = await follow({ ...scene, onChain, history: onChain })
  expect(batches[0]).toMatchObject({ disowned: [deposit(0).orderId], deposits: [] })
  const hidden = await follow({ ...scene, onChain, history: onChain.toSpliced(2, 1) })
  expect(hidden.batches[0]).toMatchObject({ disowned: [], deposits: [] })
})
