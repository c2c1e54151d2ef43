import type { Token } from '@sotto/sdk/server'
import { createSolanaRpc, getBase64Decoder } from '@solana/kit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { assertDecimals, DecimalsError, SymbolError } from './assert-decimals.ts'

const SOL = 'So11111111111111111111111111111111111111112'
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const rpc = createSolanaRpc('http://node.invalid')

const shown = (sol: number, usdc: number) =>
  [
    { assetId: SOL, symbol: 'SOL', decimals: sol },
    { assetId: USDC, symbol: 'USDC', decimals: usdc },
  ] as unknown as Token[]

/** Makes the node return this account as the only requested mint. */
function answer(mint: Uint8Array | undefined, owner = TOKEN_PROGRAM): void {
  const value = [mint && { owner, data: [getBase64Decoder().decode(mint), 'base64'] }].map(
    (one) => one ?? null,
  )
  const result = { context: { slot: 1 }, value }
  vi.stubGlobal('fetch', async () => Response.json({ jsonrpc: '2.0', id: '1', result }))
}

const mintOf = (decimals: number) => new Uint8Array(82).fill(decimals, 44, 45).fill(1, 45, 46)

describe('the decimals with which amounts were typed and shown', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('are those of the chain', async () => {
    answer(mintOf(6))
    await assertDecimals(rpc, shown(9, 6), [SOL, USDC])
    await assertDecimals(rpc, shown(9, 6), [USDC, USDC])
  })

  it('are refused if SOL has the symbol of a token, or a token is called SOL', async () => {
    answer(mintOf(9))
    const listed = (assetId: string, symbol: string) =>
      [{ assetId, symbol, decimals: 9 }] as unknown as Token[]
    for (const [id, symbol] of [
      [SOL, 'USDC'],
      [USDC, 'sol'],
      [USDC, 'S\u200bOL'],
      [USDC, 'ＳＯＬ'],
      [SOL, 'sol'],
    ] as const) {
      await expect(assertDecimals(rpc, listed(id, symbol), [id])).rejects.toThrow(SymbolError)
    }
  })

  it('are refused if the service reported other decimals for one of the assets', async () => {
    const refused = async (sol: number, usdc: number, ids: string[]) =>
      expect(assertDecimals(rpc, shown(sol, usdc), ids)).rejects.toThrow(DecimalsError)
    answer(mintOf(6))
    await refused(9, 9, [USDC, USDC])
    await refused(9, 9, [SOL, USDC])
    await refused(9, 9, [USDC, SOL])
    await refused(6, 6, [SOL, SOL])
    answer(undefined)
    await refused(9, 6, [USDC, USDC])
    answer(new Uint8Array(44))
    await refused(9, 6, [USDC, USDC])
    answer(mintOf(6), '11111111111111111111111111111111')
    await refused(9, 6, [USDC, USDC])
  })
})
