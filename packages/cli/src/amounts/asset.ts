import type { Token, TokensResponse } from '@sotto/sdk/server'
import { isAddress, mayHaveSymbol, NATIVE_MINT, type Address } from '@sotto/protocol'
import { readDecimals, type CliRpc } from './mint-decimals.ts'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'

/**
 * True if the name is the asset's mint address, or its symbol in upper or lower case. An address names only a mint: the
 * service chooses the symbols, so the symbol of an asset may be the address of another mint.
 */
export const isNamed = (
  { assetId, symbol }: Pick<Token, 'assetId' | 'symbol'>,
  name: string,
): boolean => (isAddress(name) ? name === assetId : name.toUpperCase() === symbol.toUpperCase())

/** Finds an asset that the service lists, by its symbol or by its mint address. @throws CliError. */
export function findAsset({ tokens }: TokensResponse, name: string): Token {
  const found = tokens.filter((one) => isNamed(one, name))
  const [token] = found
  if (token !== undefined && found.length === 1) return token
  const isAmbiguous = found.length > 1
  throw new CliError(
    EXIT.usage,
    isAmbiguous ? 'ASSET_AMBIGUOUS' : 'ASSET_UNKNOWN',
    isAmbiguous ? `several assets are called ${name}` : `the service has no asset ${name}`,
    isAmbiguous
      ? 'give the mint address, which "sotto tokens" lists'
      : `choose one of: ${tokens.map(({ symbol }) => symbol).join(', ')}`,
  )
}

const NATIVE_DECIMALS = 9

/**
 * Checks what the service states about an asset, as far as this command knows better. Without this check, "25 USDC"
 * could mean 25 SOL. If the service stated wrong decimals, 1.5 would be converted to a wrong amount, and no later check
 * would notice. @throws CliError if SOL has another symbol, if a token is called SOL, or if the mint on the chain has
 * other decimals.
 */
export async function assertStated(rpc: CliRpc, token: Token): Promise<void> {
  if (!mayHaveSymbol(token.assetId, token.symbol)) {
    throw new CliError(
      EXIT.unsafe,
      'SYMBOL_FALSE',
      `the service lists the mint ${token.assetId} as ${token.symbol}, but only the mint ${NATIVE_MINT} is SOL`,
      'do not pay through this service; check --url, and inform its operator',
    )
  }
  const isNative = token.assetId === NATIVE_MINT
  const decimals = isNative ? NATIVE_DECIMALS : await readDecimals(rpc, token.assetId as Address)
  if (decimals === token.decimals) return
  throw new CliError(
    EXIT.unsafe,
    'DECIMALS_DIFFER',
    `the service reports ${token.decimals} decimals for ${token.symbol}, but the chain shows ${decimals ?? 'no such token'}`,
    'do not pay through this service; check --url and --rpc, and inform its operator',
  )
}
