import { NATIVE_MINT } from '@sotto/protocol'
import type { Address } from '@solana/kit'
import { join } from 'node:path'
import { Chain } from '../chain.ts'
import { keypairFile } from './keypair-file.ts'
import type { Treasury } from './treasury.ts'

/** The money of the wallet, enough for a day of experiments: 100 SOL, and 10,000 of the test token. */
const LAMPORTS = 100_000_000_000n
const TOKENS = 10_000_000_000n

export interface TestWallet {
  readonly address: Address
  /** The path of the keypair file, in the Solana CLI's format. */
  readonly file: string
}

/**
 * A wallet for experiments. Its keypair is kept in the folder. At each start, the wallet is refilled if it has less
 * than half of its money.
 */
export async function testWallet(
  folder: string,
  { rpcUrl, treasury }: { readonly rpcUrl: string; readonly treasury: Treasury },
  token: Address,
): Promise<TestWallet> {
  const file = join(folder, 'wallet.json')
  const { address } = await keypairFile(file)
  const chain = new Chain(rpcUrl)
  if ((await chain.balance(address, NATIVE_MINT)) < LAMPORTS / 2n) {
    await treasury.fund(address, LAMPORTS)
  }
  if ((await chain.balance(address, token)) < TOKENS / 2n) {
    await treasury.mint(address, token, TOKENS)
  }
  return { address, file }
}
