import { assetAddress, NATIVE_MINT, shownAsset, totalFees, vaultAddress } from '@sotto/protocol'
import { getBase64Encoder, type Address } from '@solana/kit'
import type { Stage } from '../stage.ts'

/** A vault compared with the books of its asset, in base units. */
export interface Books {
  readonly asset: string
  readonly vault: bigint
  readonly owed: bigint
  readonly fees: bigint
  readonly inventory: bigint
}

/** True if the vault holds exactly what the books say (I1). */
export const areExact = ({ vault, owed, fees, inventory }: Books): boolean =>
  vault === owed + fees + inventory

type Pool = Pick<Stage, 'chain' | 'program' | 'usdc'>

/** Reads each asset's books and vault; a native vault's rent minimum doesn't count. */
export async function readBooks(stage: Pool): Promise<Books[]> {
  const assets: [string, Address][] = [
    ['SOL', NATIVE_MINT],
    ['USDC', stage.usdc],
  ]
  return Promise.all(
    assets.map(async ([asset, mint]) => {
      const { rpc } = stage.chain
      const { value } = await rpc
        .getAccountInfo(await assetAddress(stage.program, mint), {
          encoding: 'base64',
          commitment: 'confirmed',
        })
        .send()
      const shown = value && {
        owner: value.owner,
        data: getBase64Encoder().encode(value.data[0]),
      }
      const books = shownAsset(stage.program, shown ?? undefined)
      if (books === undefined) throw new Error('an asset of the pool is missing')
      const { owed, inventory } = books
      const vault = await readVault(stage, mint)
      return { asset, vault, owed, fees: totalFees(books), inventory }
    }),
  )
}

async function readVault({ chain, program }: Pool, mint: Address): Promise<bigint> {
  const vault = await vaultAddress(program, mint)
  const commitment = 'confirmed'
  if (mint === NATIVE_MINT) {
    const rent = await chain.rpc.getMinimumBalanceForRentExemption(0n).send()
    return (await chain.rpc.getBalance(vault, { commitment }).send()).value - rent
  }
  const { value } = await chain.rpc.getTokenAccountBalance(vault, { commitment }).send()
  return BigInt(value.amount)
}
