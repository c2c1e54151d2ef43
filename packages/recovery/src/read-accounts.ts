import {
  NATIVE_MINT,
  poolAddress,
  shownMint,
  shownPool,
  type PoolAccount,
  type ShownAccount,
} from '@sotto/protocol'
import { getBase64Encoder, type Address, type Rpc, type SolanaRpcApi } from '@solana/kit'
import { RecoveryError } from './recovery-error.ts'

export type RecoveryRpc = Rpc<SolanaRpcApi>

/**
 * An account at `confirmed`; undefined if there is none. Its data is meaningful only together with its owner:
 * decode it with `shownOrder` and similar functions.
 */
export async function readAccount(
  rpc: RecoveryRpc,
  address: Address,
): Promise<ShownAccount | undefined> {
  const { value } = await rpc
    .getAccountInfo(address, { encoding: 'base64', commitment: 'confirmed' })
    .send()
  if (value === null) return undefined
  return { owner: value.owner, data: getBase64Encoder().encode(value.data[0]) }
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

/** @throws RecoveryError WRONG_CLUSTER if the program has no pool on this endpoint's cluster. */
export async function readPool(rpc: RecoveryRpc, program: Address): Promise<PoolAccount> {
  const pool = shownPool(program, await readAccount(rpc, await poolAddress(program)))
  if (pool !== undefined) return pool
  throw new RecoveryError(
    'WRONG_CLUSTER',
    'the program has no pool on this cluster: check the RPC endpoint',
  )
}
