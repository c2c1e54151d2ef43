import type { QuoteRequest } from '@sotto/contract'
import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../../testing/patience/until.ts'
import { startProcessProver, type ProcessProver } from '../../src/adapters/prover/process-prover.ts'
import { startEngine, type Engine } from '../settlement/stack/engine.ts'
import { lamportsOf, tokensOf } from '../settlement/stack/orders.ts'
import type { Stack } from '../settlement/stack/stack.ts'
import { makeMint2022, METADATA_POINTER, mintTokens2022 } from '../settlement/stack/token-2022.ts'
import { makeWallet } from '../settlement/stack/wallet.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, countOrders, order, placed, quoteOf, send, solSend } from './partner-client.ts'
import { submitDeposit } from './submit-deposit.ts'

let stack: HttpStack
let prover: ProcessProver
let engine: Engine

beforeAll(async () => {
  stack = await startHttpStack()
  prover = await startProcessProver({ processes: 1 })
  const relayers = [makeWallet(), makeWallet()]
  for (const { address } of relayers) {
    await stack.localnet.local('requestAirdrop', [address, 500_000_000_000])
  }
  type Shown = { tree: Address; domain: string }
  const { tree, domain } = await stack.operate<Shown>('pool', 'show')
  const pool = { tree, domain: new Uint8Array(Buffer.from(domain, 'hex')) }
  engine = startEngine({ ...stack, ...pool, prover, relayers })
  await setBothRates()
})
afterAll(async () => {
  await engine?.stop()
  await prover?.stop()
  await stack?.close()
})

/** Sets the usual rate of SOL to USDC, and its inverse. */
async function setBothRates(): Promise<void> {
  const there = {
    source: NATIVE_MINT,
    destination: stack.usdc,
    numerator: '15',
    denominator: '100',
  }
  const back = { source: stack.usdc, destination: NATIVE_MINT, numerator: '100', denominator: '15' }
  await writeFile(stack.settings['SOTTO_PRICES_FILE']!, JSON.stringify({ rates: [there, back] }))
}

const SOON = { minDelaySeconds: 0, maxDelaySeconds: 1 }

/** Orders exactly this amount, pays the order, and waits until the recipient is paid. */
async function deliver(request: ReturnType<typeof solSend>) {
  const recipient = request.recipientAddress as Address
  const before = await balanceOf(recipient, request.destinationAssetId as Address)
  const { quote, order, ...made } = await placed(stack, request)
  expect((await submitDeposit(stack, order.transaction)).meta!.err).toBeNull()
  const status = await finalStatus(order.trackingId)
  expect(status).toMatchObject({ status: 'delivered', amountOut: quote.amountOut })
  const after = await balanceOf(recipient, request.destinationAssetId as Address)
  expect(`${after - before}`).toBe(quote.amountOut)
  return { quote, order, ...made }
}

const balanceOf = async (wallet: Address, mint: Address): Promise<bigint> =>
  mint === NATIVE_MINT ? lamportsOf(stack, wallet) : ((await tokensOf(stack, wallet, mint)) ?? 0n)

async function finalStatus(trackingId: string): Promise<Record<string, unknown>> {
  let record: Record<string, unknown> = {}
  await until(
    async () => {
      const { body } = await send(stack, 'GET', `/transfer/v1/status/${trackingId}`)
      record = body['order'] as Record<string, unknown>
      return record['final'] === true
    },
    () => `still ${String(record['status'])}: ${JSON.stringify(engine.reports)}`,
  )
  return record
}

const pairs = {
  'SOL send': () => [NATIVE_MINT, NATIVE_MINT],
  'USDC send': () => [stack.usdc, stack.usdc],
  'swap of SOL for USDC': () => [NATIVE_MINT, stack.usdc],
  'swap of USDC for SOL': () => [stack.usdc, NATIVE_MINT],
} satisfies Record<string, () => Address[]>

describe.each([
  ['SOL send', 'exact_in'],
  ['SOL send', 'exact_out'],
  ['USDC send', 'exact_in'],
  ['USDC send', 'exact_out'],
  ['swap of SOL for USDC', 'exact_in'],
  ['swap of USDC for SOL', 'exact_in'],
] as const)('a %s, %s', (name, mode) => {
  const request = (amount: string) => {
    const [sourceAssetId, destinationAssetId] = pairs[name]() as [Address, Address]
    return solSend(stack, { amount, mode, sourceAssetId, destinationAssetId, ...SOON })
  }
  /** Reads the current bounds from a quote. */
  const bounds = async () => {
    const { quote } = await quoteOf(stack, request('1000000000'))
    return { min: quote.min, max: quote.max }
  }

  it('is delivered with the least amount, and refused with one base unit less', async () => {
    const { min } = await bounds()
    const body = request(`${BigInt(min) - 1n}`)
    if (BigInt(min) > 1n) {
      const less = await send(stack, 'POST', '/transfer/v1/quote', { body })
      expect(codeOf(less)).toBe('AMOUNT_OUT_OF_RANGE')
    }
    await deliver(request(min))
  })

  it('is delivered with the greatest amount, and refused with one base unit more', async () => {
    const { max } = await bounds()
    const body = request(`${BigInt(max) + 1n}`)
    const more = await send(stack, 'POST', '/transfer/v1/quote', { body })
    expect(codeOf(more)).toBe('AMOUNT_OUT_OF_RANGE')
    await deliver(request(max))
  })
})

const usdcSend = (change: Partial<QuoteRequest>) =>
  solSend(stack, { sourceAssetId: stack.usdc, destinationAssetId: stack.usdc, ...SOON, ...change })

describe.each(['exact_in', 'exact_out'] as const)('with a partner, %s', (mode) => {
  it('the partner gets its share of the least amount', async () => {
    const recipientAddress = makeWallet().address
    await stack.localnet.local('localnet_mintTokens', [recipientAddress, stack.usdc, '7'])
    const hasTokens = async () => (await balanceOf(recipientAddress, stack.usdc)) === 7n
    await until(hasTokens, 'the tokens did not arrive')
    const share = { feeBps: 100, feeRecipientAddress: stack.partner.address }
    const request = usdcSend({ recipientAddress, mode, ...share })
    const { quote } = await quoteOf(stack, { ...request, amount: '1000000000' })
    expect(quote.networkFee).toBe('20000')
    const before = await balanceOf(stack.partner.address, stack.usdc)
    const paid = await deliver({ ...request, amount: quote.min })
    const gained = (await balanceOf(stack.partner.address, stack.usdc)) - before
    expect(`${gained}`).toBe(paid.quote.feeBreakdown.partnerFee)
    expect(gained).toBeGreaterThan(0n)
  })
})

it('a Token-2022 send of the least and of the greatest amount is delivered', async () => {
  const issuer = { ...stack, admin: stack.sender } as unknown as Stack
  const mint = await makeMint2022(issuer, METADATA_POINTER)
  await mintTokens2022(issuer, stack.sender.address, mint, 1_000_000_000n)
  await stack.operate(
    ...['asset', 'add', '--admin', stack.adminFile, '--mint', mint, '--symbol', 'T22'],
    ...['--name', 'Test', '--service-bps', '20', '--network-fee-exists', '1000'],
    ...['--network-fee-created', '2000', '--input-max', '900000000', '--swap-cap', '1'],
    ...['--swap-period', '3600'],
  )
  await stack.market.refresh()
  const ids = { sourceAssetId: mint, destinationAssetId: mint, ...SOON }
  const { quote } = await quoteOf(stack, solSend(stack, { ...ids, amount: '1000000' }))
  for (const amount of [quote.min, quote.max]) await deliver(solSend(stack, { ...ids, amount }))
})

it('a retry after the delivery returns the same bytes', async () => {
  const before = await countOrders(stack)
  const { body, answer, quote } = await deliver(solSend(stack, SOON))
  expect((await order(stack, body)).text).toBe(answer.text)
  const again = await order(stack, body, quote.quoteId)
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([answer.text, 'true'])
  expect(await countOrders(stack)).toBe(before + 1)
})
