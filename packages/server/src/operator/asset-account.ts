import { getMintDecoder, getMintSize, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import {
  assetAddress,
  decodeAsset,
  NATIVE_MINT,
  type Address,
  type AssetAccount,
} from '@sotto/protocol'
import { readAccounts } from '../adapters/settlement-chain/read-accounts.ts'
import type { ChainRpc } from '../adapters/settlement-chain/rpc-client.ts'
import { OperatorError } from './context.ts'

const NATIVE_DECIMALS = 9

/** An asset's account at `confirmed`; undefined before `asset add`. */
export async function tryReadAsset(
  rpc: ChainRpc,
  program: Address,
  mint: Address,
): Promise<AssetAccount | undefined> {
  const account = await assetAddress(program, mint)
  const { accounts } = await readAccounts(rpc, [account], { commitment: 'confirmed' })
  const [asset] = accounts
  return asset === undefined || asset.owner !== program ? undefined : decodeAsset(asset.data)
}

/** @throws OperatorError before `asset add`. */
export async function readAsset(
  rpc: ChainRpc,
  program: Address,
  mint: Address,
): Promise<AssetAccount> {
  const asset = await tryReadAsset(rpc, program, mint)
  if (asset === undefined) {
    throw new OperatorError('the pool has no such asset: run `sotto-server asset add` first')
  }
  return asset
}

/** Decimals of a mint that the pool can hold. @throws OperatorError where it can't. */
export async function readDecimals(rpc: ChainRpc, mint: Address): Promise<number> {
  if (mint === NATIVE_MINT) return NATIVE_DECIMALS
  const { accounts } = await readAccounts(rpc, [mint], { commitment: 'confirmed' })
  const [account] = accounts
  if (account?.owner !== TOKEN_PROGRAM_ADDRESS || account.data.length !== getMintSize()) {
    throw new OperatorError('the mint is not one of the SPL Token program on this cluster')
  }
  return getMintDecoder().decode(account.data).decimals
}
