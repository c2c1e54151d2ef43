import {
  assetAddress,
  decodeAsset,
  decodeOrder,
  decodePool,
  decodeTree,
  depositsOf,
  inLeafOrder,
  leafOf,
  MerkleTree,
  NATIVE_MINT,
  poolAddress,
  type Poseidon,
  type DepositData,
  type PoolAccount,
} from '@sotto/protocol'
import {
  getBase64Encoder,
  MAX_SUPPORTED_TRANSACTION_VERSION,
  type Address,
  type Rpc,
  type Signature,
  type SolanaRpcApi,
} from '@solana/kit'

export type RecoveryRpc = Rpc<SolanaRpcApi>

const PAGE = 1_000

/** Every deposit the pool ever took, as a tree, and where each order's note stands in it. */
export interface DepositHistory {
  readonly tree: MerkleTree
  /** Leaf index by the order id's hex. */
  readonly leafIndexes: ReadonlyMap<string, number>
}

/** An account's bytes at `confirmed`; undefined where there is none. */
export async function readAccount(
  rpc: RecoveryRpc,
  address: Address,
): Promise<Uint8Array | undefined> {
  const { value } = await rpc
    .getAccountInfo(address, { encoding: 'base64', commitment: 'confirmed' })
    .send()
  return value === null ? undefined : new Uint8Array(getBase64Encoder().encode(value.data[0]))
}

/** The token program that keeps a mint; undefined for native SOL. */
export async function readTokenProgram(
  rpc: RecoveryRpc,
  mint: Address,
): Promise<Address | undefined> {
  if (mint === NATIVE_MINT) return undefined
  const { value } = await rpc
    .getAccountInfo(mint, { encoding: 'base64', commitment: 'confirmed' })
    .send()
  if (value === null) throw new Error('the mint is not on this cluster: check the RPC endpoint')
  return value.owner
}

/** @throws Error where this RPC endpoint's cluster has no pool of the program. */
export async function readPool(rpc: RecoveryRpc, program: Address): Promise<PoolAccount> {
  const data = await readAccount(rpc, await poolAddress(program))
  if (data === undefined) {
    throw new Error('the program has no pool on this cluster: check the RPC endpoint')
  }
  return decodePool(data)
}

/** Signatures that touched `address`, oldest first. */
async function readSignatures(rpc: RecoveryRpc, address: Address): Promise<Signature[]> {
  const signatures: Signature[] = []
  for (;;) {
    const before = signatures.at(-1)
    const page = await rpc
      .getSignaturesForAddress(address, {
        limit: PAGE,
        commitment: 'confirmed',
        ...(before === undefined ? {} : { before }),
      })
      .send()
    signatures.push(...page.map((entry) => entry.signature))
    if (page.length < PAGE) return signatures.reverse()
  }
}

/** Reads each Asset once: a deposit names its Asset, a leaf needs the mint. */
function mintReader(rpc: RecoveryRpc, program: Address) {
  const mints = new Map<Address, Address>()
  return async (asset: Address): Promise<Address> => {
    const known = mints.get(asset)
    if (known !== undefined) return known
    const data = await readAccount(rpc, asset)
    if (data === undefined) throw new Error('a deposit names an asset that is not there')
    const { mint } = decodeAsset(data)
    if ((await assetAddress(program, mint)) !== asset) throw new Error('not an asset of the pool')
    mints.set(asset, mint)
    return mint
  }
}

/** What a transaction deposited. */
interface DepositTransaction {
  readonly slot: bigint
  readonly deposits: readonly DepositData[]
}

async function readDeposits(
  rpc: RecoveryRpc,
  program: Address,
  signature: Signature,
): Promise<DepositTransaction> {
  const record = await rpc
    .getTransaction(signature, {
      encoding: 'json',
      commitment: 'confirmed',
      maxSupportedTransactionVersion: MAX_SUPPORTED_TRANSACTION_VERSION,
    })
    .send()
  if (record === null) throw new Error('the endpoint lists a transaction that it cannot show')
  return { slot: record.slot, deposits: depositsOf(program, record) }
}

/** Nodes promise no order within a slot; each Order account that is still open keeps its leaf's index. */
async function orderWithinSlots(
  rpc: RecoveryRpc,
  transactions: readonly DepositTransaction[],
): Promise<DepositTransaction[]> {
  const bySlot = new Map<bigint, DepositTransaction[]>()
  for (const one of transactions) bySlot.set(one.slot, [...(bySlot.get(one.slot) ?? []), one])
  const firstLeaf = new Map<DepositTransaction, bigint>()
  for (const sharing of bySlot.values()) {
    if (sharing.length < 2) continue
    for (const one of sharing) {
      const [first] = one.deposits
      const data = first && (await readAccount(rpc, first.order))
      if (data !== undefined) firstLeaf.set(one, decodeOrder(data).leafIndex)
    }
  }
  return inLeafOrder(transactions, (one) => firstLeaf.get(one))
}

/**
 * Rebuilds the note tree from the transactions that touched it, by instruction data and never by logs
 * (I9). @throws Error where the endpoint's history doesn't lead to the chain's root.
 */
export async function readDepositHistory(
  rpc: RecoveryRpc,
  program: Address,
  poseidon: Poseidon,
): Promise<DepositHistory> {
  const pool = await readPool(rpc, program)
  const mintOf = mintReader(rpc, program)
  const tree = new MerkleTree(poseidon)
  const leafIndexes = new Map<string, number>()
  const transactions: DepositTransaction[] = []
  for (const signature of await readSignatures(rpc, pool.tree)) {
    const read = await readDeposits(rpc, program, signature)
    if (read.deposits.length > 0) transactions.push(read)
  }
  for (const { deposits } of await orderWithinSlots(rpc, transactions)) {
    for (const deposit of deposits) {
      leafIndexes.set(Buffer.from(deposit.orderId).toString('hex'), tree.size)
      tree.append(
        leafOf(poseidon, {
          mint: await mintOf(deposit.destinationAsset),
          amountOut: deposit.amountOut,
          feeBack: deposit.isSwap ? 0n : deposit.fee,
          expiry: deposit.expiry,
          sender: deposit.sender,
          inner: deposit.inner,
        }),
      )
    }
  }
  await assertChainRoot(rpc, pool.tree, tree)
  return { tree, leafIndexes }
}

/** The ring holds the root behind each of the newest leaves, so a few later deposits don't matter. */
async function assertChainRoot(rpc: RecoveryRpc, address: Address, tree: MerkleTree) {
  const data = await readAccount(rpc, address)
  if (data === undefined) throw new Error("the pool's tree is not there")
  const chain = decodeTree(data)
  const isComplete =
    tree.size > 0 && chain.nextIndex >= BigInt(tree.size) && chain.root(tree.size - 1) === tree.root
  if (!isComplete) {
    throw new Error(
      "the endpoint's history does not lead to the chain's root: use one that keeps full history",
    )
  }
}
