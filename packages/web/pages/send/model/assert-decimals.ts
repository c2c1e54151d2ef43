import { mayHaveSymbol, NATIVE_MINT, shownMint } from '@sotto/protocol'
import type { Token } from '@sotto/sdk/server'
import { getBase64Encoder, type Address, type GetMultipleAccountsApi, type Rpc } from '@solana/kit'

const NATIVE_DECIMALS = 9

/** An amount was typed or shown with decimals that differ from those on the chain. */
export class DecimalsError extends Error {
  override readonly name = 'DecimalsError'
}

/** The service gave SOL another symbol, or called a token SOL. */
export class SymbolError extends Error {
  override readonly name = 'SymbolError'
}

/**
 * Checks that amounts were typed and shown with the decimals on the chain, and that only SOL is called SOL. Other
 * checks compare only base units and mints, so they can't notice wrong decimals or a false symbol. One decimal too many
 * multiplies an amount by ten.
 *
 * @throws SymbolError if the service gave SOL another symbol, or called a token SOL.
 * @throws DecimalsError if an asset has other decimals on the chain, or if it isn't an asset.
 */
export async function assertDecimals(
  rpc: Rpc<GetMultipleAccountsApi>,
  tokens: readonly Token[],
  assetIds: readonly string[],
): Promise<void> {
  const mints = [...new Set(assetIds)].filter((id) => id !== NATIVE_MINT)
  const found = new Map<string, number | undefined>([[NATIVE_MINT, NATIVE_DECIMALS]])
  if (mints.length > 0) {
    const options = { encoding: 'base64', commitment: 'confirmed' } as const
    const { value } = await rpc.getMultipleAccounts(mints as Address[], options).send()
    mints.forEach((mint, index) => {
      const account = value[index]
      const shown = account && {
        owner: account.owner,
        data: getBase64Encoder().encode(account.data[0]),
      }
      found.set(mint, shownMint(shown ?? undefined)?.decimals)
    })
  }
  for (const id of assetIds) {
    const token = tokens.find(({ assetId }) => assetId === id)
    if (token !== undefined && !mayHaveSymbol(id, token.symbol)) {
      throw new SymbolError('the service gave an asset a false symbol')
    }
    if (token !== undefined && token.decimals === found.get(id)) continue
    throw new DecimalsError('an asset has other decimals on the chain than the service reported')
  }
}

/** True if the chain confirms the decimals. False if it doesn't, if the node fails, or after `stop` aborts. */
export function haveDecimals(
  rpc: Rpc<GetMultipleAccountsApi>,
  tokens: readonly Token[],
  assetIds: readonly string[],
  stop: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    stop.addEventListener('abort', () => resolve(false), { once: true })
    assertDecimals(rpc, tokens, assetIds).then(
      () => resolve(true),
      () => resolve(false),
    )
  })
}
