import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import type { Address } from '@solana/kit'
import { UPGRADEABLE_LOADER } from '../constants.ts'
import { addressBytes, fieldToBytes } from '../field.ts'
import { deriveAddress } from './derive-address.ts'
import { keepLast } from './keep-last.ts'

const label = (text: string): Uint8Array => new TextEncoder().encode(text)

/**
 * Derives an address. The function returns a promise, so that a later version can use an asynchronous hash function.
 */
const derive = async (program: Address, ...seeds: readonly Uint8Array[]): Promise<Address> =>
  deriveAddress(program, seeds)

/** Caches the addresses of a pool's accounts and of its mints' accounts. A pool has far fewer than 1,000 of them. */
const keepOfPool = keepLast<Promise<Address>>(1_000)
/**
 * Caches addresses that belong to wallets, because the same wallets pay and are paid repeatedly. The cache takes some
 * megabytes.
 */
const keepOfWallet = keepLast<Promise<Address>>(10_000)

const deriveOnce = (program: Address, name: string, mint?: Address): Promise<Address> =>
  keepOfPool(`${program} ${name} ${mint}`, () => {
    const seeds = mint === undefined ? [label(name)] : [label(name), addressBytes(mint)]
    return derive(program, ...seeds)
  })

export const poolAddress = (program: Address): Promise<Address> => deriveOnce(program, 'pool')

export const assetAddress = (program: Address, mint: Address): Promise<Address> =>
  deriveOnce(program, 'asset', mint)

export const vaultAddress = (program: Address, mint: Address): Promise<Address> =>
  deriveOnce(program, 'vault', mint)

export const orderAddress = (program: Address, orderId: Uint8Array): Promise<Address> =>
  derive(program, label('order'), orderId)

export const nullifierAddress = (program: Address, nullifier: bigint): Promise<Address> =>
  derive(program, label('nullifier'), fieldToBytes(nullifier))

/** The account in which the upgradeable loader stores a program's bytes and upgrade authority. */
export const programDataAddress = (program: Address): Promise<Address> =>
  derive(UPGRADEABLE_LOADER, addressBytes(program))

/** A wallet's associated token account. It is a different account for each token program. */
export const associatedTokenAddress = (
  owner: Address,
  mint: Address,
  tokenProgram: Address = TOKEN_PROGRAM_ADDRESS,
): Promise<Address> =>
  keepOfWallet(`${owner} ${mint} ${tokenProgram}`, () =>
    derive(ASSOCIATED_TOKEN_PROGRAM_ADDRESS, ...[owner, tokenProgram, mint].map(addressBytes)),
  )
