import { NATIVE_MINT, shownMint } from '@sotto/protocol'
import type { Token } from '@sotto/sdk/server'
import { getBase64Encoder, type Address, type GetMultipleAccountsApi, type Rpc } from '@solana/kit'

const NATIVE_DECIMALS = 9

/** An amount was typed or shown with decimals that differ from those on the chain. */
export class DecimalsError extends Error {
  override readonly name = 'DecimalsError'
}

/**
 * Checks that amounts were typed and shown with the decimals on the chain. Other checks compare only base units, so
 * they can't notice wrong decimals. One decimal too many multiplies an amount by ten.
 *
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
    const shown = tokens.find(({ assetId }) => assetId === id)?.decimals
    if (shown !== undefined && shown === found.get(id)) continue
    throw new DecimalsError('an asset has other decimals on the chain than the service reported')
  }
}
