import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { describe, expect, it } from 'vitest'
import type { CliContext } from '../context.ts'
import { openOutput } from '../output/output.ts'
import { approver } from './approve.ts'

const SOL = 'So11111111111111111111111111111111111111112'
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkwyTDt1v1'
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

/** A node with a mint of six decimals, and a service that lists it with these. */
function contextOf(usdcDecimals: number): CliContext {
  const mint = Buffer.alloc(82)
  mint[44] = 6
  const value = { owner: TOKEN_PROGRAM, data: [mint.toString('base64'), 'base64'] }
  const getAccountInfo = () => ({ send: async () => ({ value }) })
  const tokens = [
    { assetId: SOL, symbol: 'SOL', decimals: 9 },
    { assetId: USDC, symbol: 'USDC', decimals: usdcDecimals },
  ] as Token[]
  const stream = { write: () => true, isTTY: false }
  const output = openOutput({}, { stdout: stream, stderr: stream, stdin: {} })
  const client = async () => ({ tokens: async () => ({ tokens }) })
  const rpc = async () => ({ getAccountInfo })
  return { output, client, rpc, signal: new AbortController().signal } as unknown as CliContext
}

/** One SOL for 150 USDC, at a fee of 0.002 SOL. */
const QUOTED = {
  quote: {
    ...{ sourceAssetId: SOL, destinationAssetId: USDC },
    ...{ amountIn: '1000000000', amountOut: '150000000', fee: '2000000' },
  },
} as QuoteResponse

describe('a quote is accepted', () => {
  it.each([
    [true, {}],
    [true, { maxFee: '0.002', minOut: '150' }],
    [false, { maxFee: '0.001999999' }],
    [false, { minOut: '150.000001' }],
    [false, { maxFee: '1', minOut: '1000' }],
  ])('%s within %j', async (isAccepted, bounds) => {
    expect(await approver(contextOf(6), { yes: true, ...bounds })(QUOTED)).toBe(isAccepted)
  })

  it('never by decimals that are not the chain’s, by which a person would read it wrong', async () => {
    // So that 150 USDC would read as 150,000, and stand the test of a bound.
    const approve = approver(contextOf(3), { yes: true, minOut: '100000' })
    await expect(approve(QUOTED)).rejects.toMatchObject({ code: 'DECIMALS_DIFFER', exitCode: 6 })
  })
})
