import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import type { Address } from '@solana/kit'
import { UPGRADEABLE_LOADER } from '../constants.ts'
import { addressBytes, fieldToBytes } from '../field.ts'
import { deriveAddress } from './derive-address.ts'

const label = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Promises, so that a hash that answers later could take this one's place. */
const derive = async (program: Address, ...seeds: readonly Uint8Array[]): Promise<Address> =>
  deriveAddress(program, seeds)

/** Bounds memory; a pool has far fewer mints. */
const KEPT_MAX = 1_000
const kept = new Map<string, Promise<Address>>()

/** The accounts of a pool and its mints, derived once: every deposit and settlement names them. */
function deriveOnce(program: Address, name: string, mint?: Address): Promise<Address> {
  const key = `${program} ${name} ${mint}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const seeds = mint === undefined ? [label(name)] : [label(name), addressBytes(mint)]
  const derived = derive(program, ...seeds)
  if (kept.size >= KEPT_MAX) kept.clear()
  kept.set(key, derived)
  return derived
}

export const poolAddress = (program: Address): Promise<Address> => deriveOnce(program, 'pool')

export const assetAddress = (program: Address, mint: Address): Promise<Address> =>
  deriveOnce(program, 'asset', mint)

export const vaultAddress = (program: Address, mint: Address): Promise<Address> =>
  deriveOnce(program, 'vault', mint)

export const orderAddress = (program: Address, orderId: Uint8Array): Promise<Address> =>
  derive(program, label('order'), orderId)

export const nullifierAddress = (program: Address, nullifier: bigint): Promise<Address> =>
  derive(program, label('nullifier'), fieldToBytes(nullifier))

/** Where the upgradeable loader keeps a program's bytes and upgrade authority. */
export const programDataAddress = (program: Address): Promise<Address> =>
  derive(UPGRADEABLE_LOADER, addressBytes(program))

/** A wallet's associated token account; another one for each token program. */
export async function associatedTokenAddress(
  owner: Address,
  mint: Address,
  tokenProgram: Address = TOKEN_PROGRAM_ADDRESS,
): Promise<Address> {
  const seeds = [owner, tokenProgram, mint].map(addressBytes)
  return derive(ASSOCIATED_TOKEN_PROGRAM_ADDRESS, ...seeds)
}
