import {
  assetAddress,
  depositsOf,
  inLeafOrder,
  leafOf,
  MerkleTree,
  shownAsset,
  shownOrder,
  shownTree,
  type Poseidon,
  type DepositData,
} from '@sotto/protocol'
import { MAX_SUPPORTED_TRANSACTION_VERSION, type Address, type Signature } from '@solana/kit'
import { readAccount, readPool, type RecoveryRpc } from './read-accounts.ts'
import { RecoveryError } from './recovery-error.ts'

const PAGE = 1_000

/** Every deposit that the pool has taken, as a tree. */
export interface DepositHistory {
  readonly tree: MerkleTree
  /** The index of each deposit's first leaf, by the order id as hex, for deposits read from the chain. */
  readonly leafIndexes: ReadonlyMap<string, number>
}

export interface DepositHistoryOptions {
  /** The pool's first leaves, if known from elsewhere: only later ones are read from the chain. */
  readonly known?: readonly bigint[]
  /** Called after each transaction with the number read so far. */
  readonly onProgress?: ((transactions: number) => void) | undefined
}

/** Signatures that touched `address`, newest first. */
async function* newestSignatures(rpc: RecoveryRpc, address: Address): AsyncGenerator<Signature> {
  let before: Signature | undefined
  for (;;) {
    const page = await rpc
      .getSignaturesForAddress(address, {
        limit: PAGE,
        commitment: 'confirmed',
        ...(before === undefined ? {} : { before }),
      })
      .send()
    for (const { signature } of page) yield signature
    if (page.length < PAGE) return
    before = page.at(-1)?.signature
  }
}

/** Reads each Asset once: a deposit names its Asset, a leaf needs the mint. */
function mintReader(rpc: RecoveryRpc, program: Address) {
  const mints = new Map<Address, Address>()
  return async (asset: Address): Promise<Address> => {
    const known = mints.get(asset)
    if (known !== undefined) return known
    const shown = shownAsset(program, await readAccount(rpc, asset))
    if (shown === undefined) throw new Error('a deposit names an asset that is not there')
    const { mint } = shown
    if ((await assetAddress(program, mint)) !== asset) throw new Error('not an asset of the pool')
    mints.set(asset, mint)
    return mint
  }
}

/** A deposit with the leaf that the program made of it. */
interface ReadDeposit {
  readonly data: DepositData
  readonly leaf: bigint
}

/** What a transaction deposited. */
interface DepositTransaction {
  readonly slot: bigint
  readonly deposits: readonly ReadDeposit[]
}

type LeafReader = (deposit: DepositData) => Promise<ReadDeposit>

function leafReader(rpc: RecoveryRpc, program: Address, poseidon: Poseidon): LeafReader {
  const mintOf = mintReader(rpc, program)
  return async (data) => {
    const mint = await mintOf(data.destinationAsset)
    const { amountOut, expiry, sender, inner } = data
    const feeBack = data.isSwap ? 0n : data.fee
    const leaf = leafOf(poseidon, { mint, amountOut, feeBack, expiry, sender, inner })
    return { data, leaf }
  }
}

async function readDeposits(
  rpc: RecoveryRpc,
  program: Address,
  signature: Signature,
  readLeaf: LeafReader,
): Promise<DepositTransaction> {
  const record = await rpc
    .getTransaction(signature, {
      encoding: 'json',
      commitment: 'confirmed',
      maxSupportedTransactionVersion: MAX_SUPPORTED_TRANSACTION_VERSION,
    })
    .send()
  if (record === null) {
    const message = 'the endpoint lists a transaction that it cannot show'
    throw new RecoveryError('HISTORY_MISSING', message)
  }
  const deposits: ReadDeposit[] = []
  for (const deposit of depositsOf(program, record)) deposits.push(await readLeaf(deposit))
  return { slot: record.slot, deposits }
}

/**
 * Transactions with deposits that aren't known yet, oldest first. Nodes promise no order within a slot, so
 * the whole slot of the first known deposit is read.
 */
async function readUnknown(
  readOne: (signature: Signature) => Promise<DepositTransaction>,
  signatures: AsyncIterable<Signature>,
  options: DepositHistoryOptions,
): Promise<DepositTransaction[]> {
  const known = new Set(options.known)
  const unknown: DepositTransaction[] = []
  let knownSlot: bigint | undefined
  let count = 0
  for await (const signature of signatures) {
    const { slot, deposits } = await readOne(signature)
    options.onProgress?.((count += 1))
    if (knownSlot !== undefined && slot < knownSlot) break
    if (deposits.length === 0) continue
    const fresh = deposits.filter(({ leaf }) => !known.has(leaf))
    if (fresh.length > 0) unknown.push({ slot, deposits: fresh })
    else knownSlot ??= slot
  }
  return unknown.reverse()
}

/**
 * Nodes promise no order within a slot. An open Order account holds its leaf's index, unless a later deposit
 * with the same id and another deadline has created the account again.
 */
async function orderWithinSlots(
  rpc: RecoveryRpc,
  program: Address,
  transactions: readonly DepositTransaction[],
): Promise<DepositTransaction[]> {
  const bySlot = new Map<bigint, DepositTransaction[]>()
  for (const one of transactions) bySlot.set(one.slot, [...(bySlot.get(one.slot) ?? []), one])
  const firstLeaf = new Map<DepositTransaction, bigint>()
  for (const sharing of bySlot.values()) {
    if (sharing.length < 2) continue
    for (const one of sharing) {
      const [first] = one.deposits
      if (first === undefined) continue
      const order = shownOrder(program, await readAccount(rpc, first.data.order))
      if (order?.deadline === first.data.deadline) firstLeaf.set(one, order.leafIndex)
    }
  }
  return inLeafOrder(transactions, (one) => firstLeaf.get(one))
}

/**
 * Rebuilds the note tree from the transactions that touched it, from instruction data, never from logs (I9).
 * @throws RecoveryError if the endpoint's history doesn't lead to the chain's root.
 */
export async function readDepositHistory(
  rpc: RecoveryRpc,
  program: Address,
  poseidon: Poseidon,
  options: DepositHistoryOptions = {},
): Promise<DepositHistory> {
  const pool = await readPool(rpc, program)
  const readLeaf = leafReader(rpc, program, poseidon)
  const tree = new MerkleTree(poseidon)
  tree.appendAll(options.known ?? [])
  const leafIndexes = new Map<string, number>()
  const readOne = (signature: Signature) => readDeposits(rpc, program, signature, readLeaf)
  const transactions = await readUnknown(readOne, newestSignatures(rpc, pool.tree), options)
  const leaves: bigint[] = []
  for (const { deposits } of await orderWithinSlots(rpc, program, transactions)) {
    for (const { data, leaf } of deposits) {
      const id = Buffer.from(data.orderId).toString('hex')
      if (!leafIndexes.has(id)) leafIndexes.set(id, tree.size + leaves.length)
      leaves.push(leaf)
    }
  }
  tree.appendAll(leaves)
  await assertChainRoot(rpc, program, pool.tree, tree)
  return { tree, leafIndexes }
}

/** The ring holds the root after each of the newest leaves, so a few later deposits don't matter. */
async function assertChainRoot(
  rpc: RecoveryRpc,
  program: Address,
  address: Address,
  tree: MerkleTree,
): Promise<void> {
  const chain = shownTree(program, await readAccount(rpc, address))
  if (chain === undefined) throw new Error("the pool's tree is not on this cluster")
  const isComplete =
    tree.size > 0 && chain.nextIndex >= BigInt(tree.size) && chain.root(tree.size - 1) === tree.root
  if (!isComplete) {
    throw new RecoveryError(
      'HISTORY_MISSING',
      "the endpoint's history does not lead to the chain's root: use one with full history",
    )
  }
}
