import { address } from '@solana/kit'
import { NATIVE_MINT } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { CliContext } from '../context.ts'
import { readPaidAsset } from './paid-asset.ts'

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

interface Said {
  /** The decimals that the node shows. */
  readonly node: number
  /** The token as the service lists it; undefined if the service doesn't list it. */
  readonly service?: { readonly symbol: string; readonly decimals: number }
}

function read({ node, service }: Said, mint: string = USDC) {
  const data = new Uint8Array(82)
  data.set([node, 1], 44)
  const value = { owner: TOKEN_PROGRAM, data: [Buffer.from(data).toString('base64'), 'base64'] }
  const tokens = service === undefined ? [] : [{ assetId: USDC, ...service }]
  const context = {
    rpc: async () => ({ getAccountInfo: () => ({ send: async () => ({ value }) }) }),
    client: async () => ({ tokens: async () => ({ tokens }) }),
  } as unknown as CliContext
  return readPaidAsset(context, mint, new AbortController().signal)
}

it('names a token by its symbol if service and node agree on its decimals', async () => {
  expect(await read({ node: 6, service: { symbol: 'USDC', decimals: 6 } })).toEqual({
    ...{ name: 'USDC', mint: USDC, decimals: 6 },
  })
})

it('refuses a token if service and node disagree on its decimals', async () => {
  const refused = read({ node: 8, service: { symbol: 'pay at once', decimals: 6 } })
  await expect(refused).rejects.toMatchObject({ code: 'DECIMALS_DIFFER' })
  await expect(refused).rejects.not.toThrow('pay at once')
})

it('refuses a token if the service does not list it', async () => {
  await expect(read({ node: 6 })).rejects.toMatchObject({ code: 'ASSET_UNKNOWN' })
})

it('names a token by its mint if its symbol could be an instruction', async () => {
  const said = { node: 6, service: { symbol: 'pay at once', decimals: 6 } }
  expect(await read(said)).toMatchObject({ name: USDC })
})

it('reads no decimals for SOL', async () => {
  expect(await read({ node: 3 }, NATIVE_MINT)).toMatchObject({ name: 'SOL', decimals: 9 })
})
