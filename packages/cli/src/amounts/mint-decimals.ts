import { shownMint, type Address } from '@sotto/protocol'
import { getBase64Encoder, type Rpc, type SolanaRpcApi } from '@solana/kit'

/** A node of the caller's own choice: it decides what is believed. */
export type CliRpc = Rpc<SolanaRpcApi>

/** The decimals of a mint; undefined where the account is none. */
export async function readDecimals(rpc: CliRpc, mint: Address): Promise<number | undefined> {
  const options = { encoding: 'base64', commitment: 'confirmed' } as const
  const { value } = await rpc.getAccountInfo(mint, options).send()
  if (value === null) return undefined
  const data = getBase64Encoder().encode(value.data[0])
  return shownMint({ owner: value.owner, data })?.decimals
}
