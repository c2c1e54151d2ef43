import { assetAddress, NATIVE_MINT, shownAsset, vaultAddress } from '@sotto/protocol'
import { getBase64Encoder, type Address } from '@solana/kit'
import type { Stage } from '../stage.ts'

/** The balance of a vault and the books of its asset, in base units. */
export interface Books {
  readonly asset: string
  readonly mint: Address
  readonly vault: bigint
  readonly owed: bigint
  readonly fees: bigint
  readonly inventory: bigint
}

/** An asset's books after a run, and the amount that deliveries and payments must have added to its fees. */
export interface EndBooks extends Books {
  readonly feesBefore: bigint
  readonly earned: bigint
}

/**
 * True if two checks pass. The vault's balance must equal the books (I1). The fees in the books must have grown by the
 * fees of all deliveries and payments.
 */
export const areExact = ({ vault, owed, fees, inventory, feesBefore, earned }: EndBooks): boolean =>
  vault === owed + fees + inventory && fees === feesBefore + earned

/** Each asset's books after a run. */
export async function readEndBooks(stage: Stage): Promise<EndBooks[]> {
  const all = await readBooks(stage)
  return all.map((books) => {
    const settled = stage.transfers.filter(({ asset }) => asset === books.mint)
    const ofTransfers = settled.reduce((sum, { value, paid }) => sum + value - paid, 0n)
    const payments = stage.balances
      .filter(({ asset }) => asset === books.mint)
      .flatMap((balance) => balance.payments)
    const earned = payments.reduce((sum, { fee }) => sum + fee, ofTransfers)
    return { ...books, earned, feesBefore: stage.before.fees.get(books.mint) ?? 0n }
  })
}

type Pool = Pick<Stage, 'chain' | 'program' | 'usdc'>

/** The fees in each asset's books. */
export async function readFees(pool: Pool): Promise<Map<Address, bigint>> {
  return new Map((await readBooks(pool)).map(({ mint, fees }) => [mint, fees]))
}

/** Reads each asset's books and the balance of its vault. The rent of a native vault isn't part of the balance. */
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
      const { owed, fees, inventory } = books
      const vault = await readVault(stage, mint)
      return { asset, mint, vault, owed, fees, inventory }
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
