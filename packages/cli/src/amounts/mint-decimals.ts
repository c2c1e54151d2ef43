import { shownMint, type Address } from '@sotto/protocol'
import { getBase64Encoder, type Rpc, type SolanaRpcApi } from '@solana/kit'

/** A node that the caller has chosen. Its responses are trusted. */
export type CliRpc = Rpc<SolanaRpcApi>

/** The decimals of a mint; undefined if the account isn't a mint. */
export async function readDecimals(rpc: CliRpc, mint: Address): Promise<number | undefined> {
  const options = { encoding: 'base64', commitment: 'confirmed' } as const
  const { value } = await rpc.getAccountInfo(mint, options).send()
  if (value === null) return undefined
  const data = getBase64Encoder().encode(value.data[0])
  return shownMint({ owner: value.owner, data })?.decimals
}
