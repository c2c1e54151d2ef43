import { NATIVE_MINT, type Address } from '@sotto/protocol'
import type { Token } from '@sotto/sdk/server'
import { assertStated } from '../amounts/asset.ts'
import { toDecimal } from '../amounts/decimal.ts'
import { readDecimals } from '../amounts/mint-decimals.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { listTokens } from '../commands/request.ts'

/** A balance's asset, with decimals that were read from the chain. */
export interface BalanceAsset {
  readonly assetId: string
  readonly symbol: string
  readonly decimals: number
}

/** The asset, read from the chain alone, without a symbol. @throws CliError if the id isn't a mint's address. */
export async function assetOnChain(
  { rpc }: Pick<CliContext, 'rpc'>,
  assetId: string,
): Promise<BalanceAsset> {
  if (assetId === NATIVE_MINT) return { assetId, symbol: 'SOL', decimals: 9 }
  const decimals = await readDecimals(await rpc(), assetId as Address)
  if (decimals !== undefined) return { assetId, symbol: `of ${assetId}`, decimals }
  const message = `the node shows no mint at ${assetId}`
  throw new CliError(EXIT.unsafe, 'MINT_MISSING', message, 'check --rpc: is it the same cluster?')
}

/** The asset as the service lists it. @throws CliError. */
export async function listedAsset(context: CliContext, assetId: string): Promise<Token> {
  const { tokens } = await listTokens(context)
  const token = tokens.find((one) => one.assetId === assetId)
  if (token === undefined) {
    const message = `the service no longer lists ${assetId}`
    const next = 'pay from the ticket: sotto recover pay; or wait for the end of the balance'
    throw new CliError(EXIT.refused, 'ASSET_UNKNOWN', message, next)
  }
  await assertStated(await context.rpc(), token)
  return token
}

export const showCoins = (
  units: bigint | string,
  { decimals, symbol }: Pick<BalanceAsset, 'decimals' | 'symbol'>,
): string => `${toDecimal(units, decimals)} ${symbol}`
