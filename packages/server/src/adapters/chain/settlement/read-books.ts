import {
  ASSET_BYTES,
  assetAddress,
  NATIVE_MINT,
  shownAsset,
  shownTree,
  TOKEN_2022_PROGRAM,
  vaultAddress,
  type Address,
  type AssetAccount,
} from '@sotto/protocol'
import { getTokenDecoder, getTokenSize, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { wholeNumber } from '../../../domain/whole-number.ts'
import type { AssetBooks, PoolBooks } from '../../../ports/settlement-chain.ts'
import type { ReadPoolMints } from './pool-mints.ts'
import { readProgramAccounts } from './program-accounts.ts'
import { readAccounts, type RawAccount } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

const ASSET = { discriminator: 3, size: ASSET_BYTES }

/** Lists the mints of the pool's assets, at finality. */
export async function listMints(rpc: ChainRpc, program: Address): Promise<Address[]> {
  return (await readProgramAccounts(rpc, program, ASSET)).flatMap(
    (account) => shownAsset(program, account)?.mint ?? [],
  )
}

/**
 * Creates a function that reads the books of these mints. Without `mints`, it lists the pool's mints from the chain at
 * each call.
 */
export function booksReader(
  rpc: ChainRpc,
  { program, tree }: { readonly program: Address; readonly tree: Address },
  mints?: ReadPoolMints,
): () => Promise<PoolBooks> {
  return async () =>
    readBooks(rpc, program, tree, mints ? (await mints()).mints : await listMints(rpc, program))
}

/**
 * Reads the tree, and the books and vault of each mint's asset. The node's slot may be older than an asset, so a mint
 * without an asset is left out. If all accounts fit into one request, they are read at one slot. Otherwise, each
 * asset's books are still read at the same slot as its vault.
 */
export async function readBooks(
  rpc: ChainRpc,
  program: Address,
  tree: Address,
  mints: readonly Address[],
): Promise<PoolBooks> {
  const rentMinimum = await rpc.getMinimumBalanceForRentExemption(0n).send()
  const pairs = await Promise.all(
    mints.map(async (mint) => [
      await assetAddress(program, mint),
      await vaultAddress(program, mint),
    ]),
  )
  // `readAccounts` splits requests after every hundred accounts. An even number of accounts precedes the pairs, so an
  // asset and its vault are always in the same request. If they were read at different slots, the vault could seem to
  // lack funds. The program's account is requested only to make the number even.
  const { slot, accounts } = await readAccounts(rpc, [tree, program, ...pairs.flat()], {
    commitment: 'finalized',
  })
  const [treeAccount, , ...rest] = accounts
  const shown = shownTree(program, treeAccount)
  if (shown === undefined) throw new Error('the RPC node returned no tree')
  const { nextIndex, recent } = shown
  return {
    slot,
    nextLeaf: nextIndex,
    root: nextIndex === 0n ? 0n : recent(wholeNumber(nextIndex - 1n)).root,
    assets: mints.flatMap((mint, index) => {
      const [asset, vault] = rest.slice(2 * index)
      return booksOf(mint, shownAsset(program, asset), vault, rentMinimum) ?? []
    }),
  }
}

function booksOf(
  mint: Address,
  books: AssetAccount | undefined,
  vault: RawAccount | undefined,
  rentMinimum: bigint,
): AssetBooks | undefined {
  if (books === undefined && vault === undefined) return undefined
  if (books === undefined || vault === undefined)
    throw new Error('the RPC node returned an asset without its vault')
  const { owed, inventory, fees } = books
  const rent = mint === NATIVE_MINT ? rentMinimum : 0n
  return { mint, held: heldBy(mint, vault, rentMinimum), rent, owed, inventory, fees }
}

function heldBy(mint: Address, vault: RawAccount, rentMinimum: bigint): bigint {
  if (mint === NATIVE_MINT) return vault.lamports - rentMinimum
  const isToken = vault.owner === TOKEN_PROGRAM_ADDRESS || vault.owner === TOKEN_2022_PROGRAM
  if (!isToken || vault.data.length < getTokenSize())
    throw new Error('the RPC node returned a vault that is not a token account')
  return getTokenDecoder().decode(vault.data).amount
}
