import {
  ASSET_BYTES,
  assetAddress,
  decodeAsset,
  NATIVE_MINT,
  totalFees,
  vaultAddress,
  type Address,
} from '@sotto/protocol'
import { getTokenDecoder } from '@solana-program/token'
import type { AssetBooks } from '../../ports/chain-upkeep.ts'
import { readProgramAccounts } from './program-accounts.ts'
import { readAccounts, type RawAccount } from './read-accounts.ts'
import type { ChainRpc } from './rpc-client.ts'

const ASSET = { discriminator: 3, size: ASSET_BYTES }

/** Every asset's books and vault. An asset and its vault are read at one slot. */
export async function readBooks(rpc: ChainRpc, program: Address): Promise<AssetBooks[]> {
  const mints = (await readProgramAccounts(rpc, program, ASSET)).map(
    ({ data }) => decodeAsset(data).mint,
  )
  const rentMinimum = await rpc.getMinimumBalanceForRentExemption(0n).send()
  return Promise.all(mints.map((mint) => readOne(rpc, program, mint, rentMinimum)))
}

async function readOne(
  rpc: ChainRpc,
  program: Address,
  mint: Address,
  rentMinimum: bigint,
): Promise<AssetBooks> {
  const addresses = [await assetAddress(program, mint), await vaultAddress(program, mint)]
  const { accounts } = await readAccounts(rpc, addresses, { commitment: 'finalized' })
  const [asset, vault] = accounts
  if (asset === undefined || vault === undefined) throw new Error('an asset without its vault')
  const books = decodeAsset(asset.data)
  const { owed, inventory } = books
  return { mint, held: heldBy(mint, vault, rentMinimum), owed, inventory, fees: totalFees(books) }
}

function heldBy(mint: Address, vault: RawAccount, rentMinimum: bigint): bigint {
  if (mint === NATIVE_MINT) return vault.lamports - rentMinimum
  return getTokenDecoder().decode(vault.data).amount
}
