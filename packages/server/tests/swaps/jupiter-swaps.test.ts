import { amount, NATIVE_MINT, type Address } from '@sotto/protocol'
import { AccountRole } from '@solana/kit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openJupiterSwaps } from '../../src/adapters/swaps/jupiter-swaps.ts'
import { startRemote, type RemoteServer } from '../remote/remote-server.ts'

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address
const OWNER = 'SysvarRent111111111111111111111111111111111' as Address
const ATA_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const ASKED = {
  ...{ sell: NATIVE_MINT, buy: USDC, amountIn: amount(1_000n) },
  ...{ slippageBps: 50, accountsMax: 30 },
}
const meta = (pubkey: string, isSigner: boolean, isWritable: boolean) => ({
  ...{ pubkey, isSigner, isWritable },
})
const SWAP = {
  programId: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4',
  accounts: [meta(OWNER, true, false), meta(USDC, false, true)],
  data: 'AQID',
}
const CREATE = {
  programId: ATA_PROGRAM,
  accounts: [meta(OWNER, true, true), meta(USDC, false, true)],
  data: 'AQ==',
}

let jupiter: RemoteServer
let change: object
beforeEach(async () => {
  change = {}
  jupiter = await startRemote(({ headers, url, method, body }) => {
    if (headers['x-api-key'] !== 'key') return { status: 401 }
    const { inputMint, outputMint, amount: inAmount } = Object.fromEntries(url.searchParams)
    if (method === 'GET' && url.pathname === '/swap/v1/quote') {
      const quote = { inputMint, inAmount, outputMint, outAmount: '150', swapMode: 'ExactIn' }
      return { status: 200, json: { ...quote, routePlan: [{ percent: 100 }], ...change } }
    }
    if (method !== 'POST' || url.pathname !== '/swap/v1/swap-instructions') return { status: 404 }
    const { quoteResponse } = JSON.parse(body) as { quoteResponse: { routePlan?: unknown } }
    if (quoteResponse.routePlan === undefined) return { status: 422 }
    const route = { swapInstruction: SWAP, addressLookupTableAddresses: [USDC] }
    return { status: 200, json: { ...route, ...change } }
  })
})
afterEach(() => jupiter.close())

const open = (key = 'key') => openJupiterSwaps({ url: `${jupiter.url}/`, apiKey: async () => key })
const quote = () => open().quote(ASKED)
const route = async () => {
  const found = { asked: ASKED, amountOut: amount(150n), answer: { routePlan: [] } }
  return open().findRoute(found, OWNER)
}

it('requests a quote of exactly the amount, and the route of that quote', async () => {
  const found = await quote()
  expect(found.amountOut).toBe(150n)
  expect(Object.fromEntries(jupiter.asked[0]!.url.searchParams)).toMatchObject({
    ...{ inputMint: NATIVE_MINT, outputMint: USDC, amount: '1000', slippageBps: '50' },
    ...{ swapMode: 'ExactIn', maxAccounts: '30' },
  })
  expect(await open().findRoute(found, OWNER)).toEqual({
    swap: {
      programAddress: SWAP.programId,
      accounts: [
        { address: OWNER, role: AccountRole.READONLY_SIGNER },
        { address: USDC, role: AccountRole.WRITABLE },
      ],
      data: new Uint8Array([1, 2, 3]),
    },
    ...{ creates: [], wantsMore: false, tables: [USDC] },
  })
  expect(JSON.parse(jupiter.asked[1]!.body)).toMatchObject({
    ...{ userPublicKey: OWNER, wrapAndUnwrapSol: false, quoteResponse: found.answer },
  })
})

it('reports which accounts a route creates and whether it has further instructions', async () => {
  change = { setupInstructions: [CREATE] }
  expect(await route()).toMatchObject({ creates: [USDC], wantsMore: false })
  for (const more of [
    { setupInstructions: [CREATE, SWAP] },
    { otherInstructions: [SWAP] },
    { cleanupInstruction: SWAP },
    { tokenLedgerInstruction: SWAP },
  ]) {
    change = more
    expect(await route()).toMatchObject({ wantsMore: true })
  }
})

describe('fails', () => {
  it.each([
    [400, /knows no route/],
    [429, /wait a minute/],
    [500, /run the command again/],
  ] as const)('with advice for the operator on status %i', async (status, advice) => {
    jupiter.faults.push(status)
    await expect(quote()).rejects.toThrow(advice)
    jupiter.faults.push(status)
    await expect(route()).rejects.toThrow(advice)
  })

  it('with advice for the operator on a key that is refused', async () => {
    await expect(open('other').quote(ASKED)).rejects.toThrow(/SOTTO_JUPITER_API_KEY/)
  })

  it.each([
    ['a refused connection', 'refuse'],
    ['an answer that ends in the middle', 'cut'],
    ['an answer that is not JSON', 'garbage'],
  ] as const)('on %s', async (_, fault) => {
    jupiter.faults.push(fault)
    await expect(quote()).rejects.toMatchObject({ name: 'RemoteError' })
  })

  it.each([
    ['another amount', { inAmount: '1' }],
    ['another asset', { outputMint: OWNER }],
    ['another side', { swapMode: 'ExactOut' }],
    ['an amount beyond u64', { outAmount: '99999999999999999999' }],
    ['an amount that is not a whole number', { outAmount: '1.5' }],
  ])('on a quote for %s', async (_, wrong) => {
    change = wrong
    await expect(quote()).rejects.toMatchObject({ name: 'RemoteError' })
  })

  it.each([
    ['without a swap', { swapInstruction: null }],
    ['with an invalid address', { swapInstruction: { ...SWAP, programId: 'x' } }],
    ['with invalid data', { swapInstruction: { ...SWAP, data: '?' } }],
    ['with too many tables', { addressLookupTableAddresses: Array(17).fill(USDC) }],
  ])('on a route %s', async (_, wrong) => {
    change = wrong
    await expect(route()).rejects.toMatchObject({ name: 'RemoteError' })
  })
})
