import { NATIVE_MINT } from '@sotto/protocol'
import type { Token, TokensResponse } from '@sotto/sdk/server'
import { expect, it } from 'vitest'
import { listedAsset } from '../balances/balance-asset.ts'
import { readAssets } from '../commands/request.ts'
import type { CliContext } from '../context.ts'

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

/** A context with a node that shows each mint with nine decimals, and a service that lists these tokens. */
function contextOf(...tokens: readonly Pick<Token, 'assetId' | 'symbol'>[]): CliContext {
  const mint = new Uint8Array(82)
  mint.set([9, 1], 44)
  const value = { owner: TOKEN_PROGRAM, data: [Buffer.from(mint).toString('base64'), 'base64'] }
  const listed = { tokens: tokens.map((token) => ({ ...token, decimals: 9 })) } as TokensResponse
  return {
    client: async () => ({ tokens: async () => listed }),
    rpc: async () => ({ getAccountInfo: () => ({ send: async () => ({ value }) }) }),
  } as unknown as CliContext
}

it('a service can neither call SOL by the name of a token, nor a token SOL', async () => {
  const refusal = { code: 'SYMBOL_FALSE', exitCode: 6 }
  for (const symbol of ['USDC', '', 'WSOL']) {
    const listed = contextOf({ assetId: NATIVE_MINT, symbol })
    await expect(readAssets(listed, symbol, symbol)).rejects.toMatchObject(refusal)
    await expect(readAssets(listed, NATIVE_MINT, NATIVE_MINT)).rejects.toMatchObject(refusal)
    await expect(listedAsset(listed, NATIVE_MINT)).rejects.toMatchObject(refusal)
  }
  const seenAsSol = ['SOL', 'sol', 'S\u200bOL', ' SOL ', 'S OL', 'S\u00a0OL', 'SOL\ufe0f', 'ＳＯＬ']
  for (const symbol of seenAsSol) {
    const listed = contextOf({ assetId: USDC, symbol })
    await expect(readAssets(listed, symbol, symbol)).rejects.toMatchObject(refusal)
    await expect(listedAsset(listed, USDC)).rejects.toMatchObject(refusal)
  }
})

it('a service may list other false symbols than the named ones', async () => {
  const listed = contextOf(
    { assetId: NATIVE_MINT, symbol: 'SOL' },
    { assetId: USDC, symbol: 'USDC' },
    { assetId: 'another mint', symbol: 'SOL' },
  )
  const { source, destination } = await readAssets(listed, NATIVE_MINT, 'usdc')
  expect([source.symbol, destination.symbol]).toEqual(['SOL', 'USDC'])
})

it('a mint’s address never names an asset of another mint whose symbol is that address', async () => {
  const listed = contextOf(
    { assetId: NATIVE_MINT, symbol: 'SOL' },
    { assetId: 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn', symbol: USDC },
  )
  const unknown = { code: 'ASSET_UNKNOWN', exitCode: 2 }
  await expect(readAssets(listed, USDC, USDC)).rejects.toMatchObject(unknown)
})
