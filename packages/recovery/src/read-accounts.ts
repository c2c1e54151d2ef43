import {
  CLOCK_SYSVAR,
  NATIVE_MINT,
  poolAddress,
  RENT_SYSVAR,
  shownClock,
  shownMint,
  shownPool,
  shownRent,
  shownTree,
  type PoolAccount,
  type ShownAccount,
  type TransactionRecord,
  type TreeAccount,
  type UnixSeconds,
} from '@sotto/protocol'
import {
  getBase64Encoder,
  type Commitment,
  type Address,
  type GetTransactionApi,
  type Rpc,
  type Signature,
  type SolanaRpcApi,
} from '@solana/kit'
import { readAtSlot } from './read-at-slot.ts'
import { RecoveryError } from './recovery-error.ts'
import { TRANSACTION_VERSION_MAX } from './transaction-version.ts'

export type RecoveryRpc = Rpc<SolanaRpcApi>

/**
 * An account at `confirmed`; undefined if it doesn't exist. Decode its data only with functions that check which
 * program owns the account, such as `shownOrder`.
 */
export async function readAccount(
  rpc: RecoveryRpc,
  account: Address,
): Promise<ShownAccount | undefined> {
  return (await readAtSlot(rpc, account)).account
}

/** Accounts that are all read at the same slot; undefined for each account that doesn't exist. */
export async function readTogether(
  rpc: Pick<RecoveryRpc, 'getMultipleAccounts'>,
  accounts: readonly Address[],
  commitment: Commitment = 'confirmed',
  abortSignal?: AbortSignal,
): Promise<readonly (ShownAccount | undefined)[]> {
  const { value } = await rpc
    .getMultipleAccounts([...accounts], { encoding: 'base64', commitment })
    .send(abortSignal && { abortSignal })
  return value.map((one) =>
    one === null ? undefined : { owner: one.owner, data: getBase64Encoder().encode(one.data[0]) },
  )
}

/** The chain's clock at `confirmed`, in seconds since 1970. */
export async function readChainClock(rpc: RecoveryRpc): Promise<UnixSeconds> {
  return shownClock(await readAccount(rpc, CLOCK_SYSVAR))
}

/** The cluster's rent at `confirmed`, in lamports per byte. */
export async function readRent(rpc: RecoveryRpc): Promise<bigint> {
  return shownRent(await readAccount(rpc, RENT_SYSVAR))
}

/** The token program that owns a mint; undefined for native SOL. @throws RecoveryError WRONG_CLUSTER. */
export async function readTokenProgram(
  rpc: RecoveryRpc,
  mint: Address,
): Promise<Address | undefined> {
  if (mint === NATIVE_MINT) return undefined
  const shown = shownMint(await readAccount(rpc, mint))
  if (shown !== undefined) return shown.tokenProgram
  throw new RecoveryError(
    'WRONG_CLUSTER',
    'the mint is not on this cluster: check the RPC endpoint',
  )
}

/** Reads the Pool. @throws RecoveryError WRONG_CLUSTER if the program has no pool on this endpoint's cluster. */
export async function readPool(rpc: RecoveryRpc, program: Address): Promise<PoolAccount> {
  const pool = shownPool(program, await readAccount(rpc, await poolAddress(program)))
  if (pool !== undefined) return pool
  throw new RecoveryError(
    'WRONG_CLUSTER',
    'the program has no pool on this cluster: check the RPC endpoint',
  )
}

/** The part of the Pool that never changes. */
export type FixedPool = Pick<PoolAccount, 'tree' | 'domain'>

const fixedPools = new WeakMap<RecoveryRpc, Map<Address, FixedPool>>()

/**
 * The fixed part of the Pool. It is read once for each endpoint and then cached, so that a list of payments doesn't
 * exceed the endpoint's rate limit. If an endpoint returns a false Pool, no money is at risk, because proofs for a
 * false Pool are invalid. If work fails because of a false Pool, `onFixedPool` repeats the work.
 *
 * @throws RecoveryError WRONG_CLUSTER if the program has no pool on this endpoint's cluster.
 */
export async function readFixedPool(rpc: RecoveryRpc, program: Address): Promise<FixedPool> {
  const known = fixedPools.get(rpc) ?? new Map<Address, FixedPool>()
  const pool = known.get(program) ?? (await readPool(rpc, program))
  fixedPools.set(rpc, known.set(program, pool))
  return pool
}

/**
 * Runs `work`, which uses the fixed part of the Pool. If `work` fails, the endpoint may have returned a wrong Pool
 * earlier. So the Pool is read again, and if it differs, `work` is run once more. Without the second reading,
 * one wrong response would be used for as long as the RPC object exists.
 *
 * @param mayStem returns true if a wrong Pool may have caused the error.
 * @throws the work's error.
 */
export async function onFixedPool<Result>(
  rpc: RecoveryRpc,
  program: Address,
  work: () => Promise<Result>,
  mayStem: (error: unknown) => boolean = (error) => error instanceof RecoveryError,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!mayStem(error) || !(await hasChanged(rpc, program))) throw error
    return work()
  }
}

/**
 * Reads the fixed part of the Pool again. Returns true if it differs from the cached part. If this reading fails,
 * returns false, and the next use reads the Pool.
 */
async function hasChanged(rpc: RecoveryRpc, program: Address): Promise<boolean> {
  const known = fixedPools.get(rpc)
  const former = known?.get(program)
  if (former === undefined) return false
  known?.delete(program)
  try {
    const { tree, domain } = await readFixedPool(rpc, program)
    return tree !== former.tree || domain.some((byte, place) => byte !== former.domain[place])
  } catch {
    return false
  }
}

export interface TreeAtSlot {
  readonly program: Address
  readonly address: Address
  readonly domain: Uint8Array
  readonly slot: bigint
  readonly account: TreeAccount
}

/** Reads the Tree. @throws RecoveryError WRONG_CLUSTER if the program has no tree on this endpoint's cluster. */
export async function readTree(rpc: RecoveryRpc, program: Address): Promise<TreeAtSlot> {
  const { tree, domain } = await readFixedPool(rpc, program)
  const { slot, account: shown } = await readAtSlot(rpc, tree)
  const account = shownTree(program, shown)
  if (account !== undefined) return { program, address: tree, domain, slot, account }
  throw new RecoveryError(
    'WRONG_CLUSTER',
    "the pool's tree is not on this cluster: check the RPC endpoint",
  )
}

/**
 * A transaction; null if the endpoint doesn't have it at this commitment, or has it without its meta data. Such a
 * record doesn't show whether the transaction failed, and so it doesn't show what the transaction did.
 */
export async function readTransaction(
  rpc: Rpc<GetTransactionApi>,
  signature: Signature,
  commitment: 'confirmed' | 'finalized' = 'confirmed',
): Promise<TransactionRecord | null> {
  const record = await rpc
    .getTransaction(signature, {
      encoding: 'json',
      commitment,
      maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX,
    })
    .send()
  return record?.meta ? record : null
}
