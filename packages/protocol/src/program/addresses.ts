import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import {
  getAddressEncoder,
  getProgramDerivedAddress,
  type Address,
  type ReadonlyUint8Array,
} from '@solana/kit'
import { UPGRADEABLE_LOADER } from '../constants.ts'
import { fieldToBytes } from '../field.ts'

async function derive(
  program: Address,
  seeds: readonly (string | ReadonlyUint8Array)[],
): Promise<Address> {
  const [derived] = await getProgramDerivedAddress({ programAddress: program, seeds: [...seeds] })
  return derived
}

export const poolAddress = (program: Address): Promise<Address> => derive(program, ['pool'])

export const assetAddress = (program: Address, mint: Address): Promise<Address> =>
  derive(program, ['asset', getAddressEncoder().encode(mint)])

export const vaultAddress = (program: Address, mint: Address): Promise<Address> =>
  derive(program, ['vault', getAddressEncoder().encode(mint)])

export const orderAddress = (program: Address, orderId: Uint8Array): Promise<Address> =>
  derive(program, ['order', orderId])

export const nullifierAddress = (program: Address, nullifier: bigint): Promise<Address> =>
  derive(program, ['nullifier', fieldToBytes(nullifier)])

/** Where the upgradeable loader keeps a program's bytes and upgrade authority. */
export const programDataAddress = (program: Address): Promise<Address> =>
  derive(UPGRADEABLE_LOADER, [getAddressEncoder().encode(program)])

/** A wallet's associated token account; another one for each token program. */
export async function associatedTokenAddress(
  owner: Address,
  mint: Address,
  tokenProgram: Address = TOKEN_PROGRAM_ADDRESS,
): Promise<Address> {
  const [derived] = await findAssociatedTokenPda({ owner, mint, tokenProgram })
  return derived
}
