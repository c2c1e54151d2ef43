import { mayHaveSymbol, NATIVE_MINT, type Address } from '@sotto/protocol'
import { readDecimals } from '../amounts/mint-decimals.ts'
import type { CliContext } from '../context.ts'
import { ToolError } from './tool-error.ts'

/** The asset of a balance. */
export interface PaidAsset {
  /** `SOL`, or a token's symbol. If the token's symbol isn't a single word, or is `SOL`, this is the token's mint. */
  readonly name: string
  readonly mint: string
  readonly decimals: number
}

const NATIVE_DECIMALS = 9
/**
 * The format of an accepted symbol. The service chooses the symbol, and could send an instruction to the agent instead.
 */
const SYMBOL = /^[A-Za-z0-9.$]{1,12}$/

const ASK = 'ask the person who runs this server'

/**
 * Reads the asset of a balance. The decimals determine limits and amounts in base units. So the node and the service
 * must show the same decimals, and neither of them can change an amount alone. @throws ToolError.
 */
export async function readPaidAsset(
  { client, rpc }: Pick<CliContext, 'client' | 'rpc'>,
  mint: string,
  signal: AbortSignal,
): Promise<PaidAsset> {
  if (mint === NATIVE_MINT) return { name: 'SOL', mint, decimals: NATIVE_DECIMALS }
  const decimals = await readDecimals(await rpc(), mint as Address)
  if (decimals === undefined) {
    throw new ToolError('ASSET_UNKNOWN', "the balance's asset is not a token on this chain", ASK)
  }
  const { tokens } = await (await client()).tokens({ signal })
  const token = tokens.find(({ assetId }) => assetId === mint)
  if (token === undefined) {
    throw new ToolError('ASSET_UNKNOWN', "the service does not list the balance's asset", ASK)
  }
  if (token.decimals !== decimals) {
    const message = "the service and the node disagree on the decimals of the balance's asset"
    throw new ToolError('DECIMALS_DIFFER', message, ASK)
  }
  const { symbol } = token
  const isPlain = SYMBOL.test(symbol) && mayHaveSymbol(mint, symbol)
  return { name: isPlain ? symbol : mint, mint, decimals }
}
