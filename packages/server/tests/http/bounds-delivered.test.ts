import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { startProcessProver, type ProcessProver } from '../../src/adapters/prover/process-prover.ts'
import { startEngine, type Engine } from '../settlement/stack/engine.ts'
import { lamportsOf, tokensOf } from '../settlement/stack/orders.ts'
import { makeWallet } from '../settlement/stack/wallet.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, placed, quoteOf, send, solSend } from './partner-client.ts'
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
})
afterAll(async () => {
  await engine?.stop()
  await prover?.stop()
  await stack?.close()
})

const SOON = { minDelaySeconds: 0, maxDelaySeconds: 1 }

/** Places an order of exactly this amount, pays it, and waits for what the recipient gets. */
async function deliver(request: ReturnType<typeof solSend>): Promise<void> {
  const { quote, order } = await placed(stack, request)
  expect((await submitDeposit(stack, order.transaction)).meta!.err).toBeNull()
  const status = await finalStatus(order.trackingId)
  expect(status).toMatchObject({ status: 'delivered', amountOut: quote.amountOut })
  const recipient = request.recipientAddress as Address
  const received =
    request.destinationAssetId === NATIVE_MINT
      ? await lamportsOf(stack, recipient)
      : await tokensOf(stack, recipient, stack.usdc)
  expect(`${received}`).toBe(quote.amountOut)
}

async function finalStatus(trackingId: string): Promise<Record<string, unknown>> {
  let record: Record<string, unknown> = {}
  for (let tries = 0; tries < 400; tries += 1) {
    const { body } = await send(stack, 'GET', `/transfer/v1/status/${trackingId}`)
    record = body['order'] as Record<string, unknown>
    if (record['final'] === true) return record
    await systemClock.sleep(100)
  }
  throw new Error(`still ${String(record['status'])}: ${JSON.stringify(engine.reports)}`)
}

const pairs = {
  'SOL send': () => [NATIVE_MINT, NATIVE_MINT],
  'USDC send': () => [stack.usdc, stack.usdc],
  'swap of SOL for USDC': () => [NATIVE_MINT, stack.usdc],
} satisfies Record<string, () => Address[]>

describe.each([
  ['SOL send', 'exact_in'],
  ['SOL send', 'exact_out'],
  ['USDC send', 'exact_in'],
  ['USDC send', 'exact_out'],
  ['swap of SOL for USDC', 'exact_in'],
] as const)('a %s, %s', (name, mode) => {
  const request = (amount: string) => {
    const [sourceAssetId, destinationAssetId] = pairs[name]() as [Address, Address]
    return solSend(stack, { amount, mode, sourceAssetId, destinationAssetId, ...SOON })
  }
  /** The bounds now: a refusal names those of an amount that is far too small. */
  const bounds = async () => {
    const { quote } = await quoteOf(stack, request('1000000000'))
    return { min: quote.min, max: quote.max }
  }

  it('of the least amount is delivered, and one base unit less is refused', async () => {
    const { min } = await bounds()
    const body = request(`${BigInt(min) - 1n}`)
    if (BigInt(min) > 1n) {
      const less = await send(stack, 'POST', '/transfer/v1/quote', { body })
      expect(codeOf(less)).toBe('AMOUNT_OUT_OF_RANGE')
    }
    await deliver(request(min))
  })

  it('of the greatest amount is delivered, and one base unit more is refused', async () => {
    const { max } = await bounds()
    const body = request(`${BigInt(max) + 1n}`)
    const more = await send(stack, 'POST', '/transfer/v1/quote', { body })
    expect(codeOf(more)).toBe('AMOUNT_OUT_OF_RANGE')
    await deliver(request(max))
  })
})
