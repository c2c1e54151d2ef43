import { TOKEN_2022_PROGRAM, type Address } from '@sotto/protocol'
import { getBase64Encoder, type Rpc, type SolanaRpcApi } from '@solana/kit'

/** A node of the caller's own choice: it decides what is believed. */
export type CliRpc = Rpc<SolanaRpcApi>

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
/** Of a mint's account in both token programs: option and authority (36), supply (8), then decimals. */
const DECIMALS_OFFSET = 44
const MINT_BYTES = 82

/** The decimals of a mint; undefined where the account is none. */
export async function readDecimals(rpc: CliRpc, mint: Address): Promise<number | undefined> {
  const options = { encoding: 'base64', commitment: 'confirmed' } as const
  const { value } = await rpc.getAccountInfo(mint, options).send()
  if (value === null || ![TOKEN_PROGRAM, TOKEN_2022_PROGRAM].includes(value.owner)) return undefined
  const data = getBase64Encoder().encode(value.data[0])
  return data.length >= MINT_BYTES ? data[DECIMALS_OFFSET] : undefined
}
