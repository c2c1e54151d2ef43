import type { QuoteRequest } from '@sotto/contract'
import { NATIVE_MINT } from '@sotto/protocol'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clearEpoch } from '../../src/adapters/store/settlement/epochs.ts'
import type { ChainRpc } from '../../src/adapters/rpc/rpc-client.ts'
import { makeWallet } from '../settlement/stack/wallet.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import {
  codeOf,
  countOrders,
  order,
  orderBody,
  placed,
  quoteOf,
  send,
  solSend,
} from './partner-client.ts'
import { startApi } from './start-api.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

const QUOTE = '/transfer/v1/quote'

async function quoted(request: QuoteRequest) {
  return orderBody((await quoteOf(stack, request)).quote, request)
}

const shared = (feeBps = 50) => ({ feeBps, feeRecipientAddress: stack.partner.address })

/** Advances the clock by a second, after which a verified key and its account are no longer cached. */
const forgetKeys = () => stack.advanceMs(1_000)

describe('the checks of a quote are repeated for its order', () => {
  it('the sender is screened again', async () => {
    const request = solSend(stack)
    const { body: known, answer } = await placed(stack, request, 'screened')
    const body = await quoted(request)
    const path = stack.settings['SOTTO_DENY_LIST_FILE']!
    const before = await readFile(path, 'utf8')
    await appendFile(path, `${request.senderAddress}\n`)
    const refused = await order(stack, body)
    // A retry of an earlier request still returns its order.
    const replayed = await order(stack, known, 'screened')
    await writeFile(path, `${before}\n`)
    expect(codeOf(refused)).toBe('SCREENING_REFUSED')
    expect(replayed.text).toBe(answer.text)
    expect((await order(stack, body)).status).toBe(200)
  })

  it('a swap is refused if the price has moved by more than the spread', async () => {
    const body = await quoted(solSend(stack, { destinationAssetId: stack.usdc }))
    // The quote's rate is 0.15 base units for each lamport, minus 30 basis points. The new rate of 0.14 is lower.
    await stack.setRate(14)
    const refused = await order(stack, body)
    await stack.setRate(15)
    expect(codeOf(refused)).toBe('PRICE_MOVED')
    expect((await order(stack, body)).status).toBe(200)
  })

  it.each(['source', 'destination'] as const)(
    'a swap is refused if its %s is no longer offered for swaps',
    async (side) => {
      const body = await quoted(solSend(stack, { destinationAssetId: stack.usdc }))
      const mint = side === 'source' ? NATIVE_MINT : stack.usdc
      const offer = async (offered: 'on' | 'off') => {
        await stack.operate('asset', 'set', '--mint', mint, '--swappable', offered)
        await stack.market.refresh()
      }
      await offer('off')
      const refused = await order(stack, body)
      await offer('on')
      expect(codeOf(refused)).toBe('UNSUPPORTED_ASSET')
      expect((await order(stack, body)).status).toBe(200)
    },
  )

  it('the partner’s share must not exceed a cap that was lowered since the quote', async () => {
    const body = await quoted(solSend(stack, shared()))
    const cap = (bps: string) =>
      stack.operate('account', 'set', '--id', 'acme', '--fee-bps-max', bps)
    await cap('49')
    forgetKeys()
    expect(codeOf(await order(stack, body))).toBe('FEE_BPS_EXCEEDS_CAP')
    await cap('100')
    forgetKeys()
    expect((await order(stack, body)).status).toBe(200)
  })

  it('the partner’s fee recipient must still be registered', async () => {
    const body = await quoted(solSend(stack, shared()))
    const wallet = ['--account', 'acme', '--address', stack.partner.address]
    await stack.operate('fee-recipient', 'remove', ...wallet)
    expect(codeOf(await order(stack, body))).toBe('FEE_RECIPIENT_NOT_REGISTERED')
    await stack.operate('fee-recipient', 'add', ...wallet)
    expect((await order(stack, body)).status).toBe(200)
  })
})

describe('a fee recipient', () => {
  it('is required in an order if the partner takes a share', async () => {
    const { body } = await placed(stack, solSend(stack, shared()), 'share')
    const { feeRecipientAddress: _, ...rest } = body
    for (const key of [undefined, 'share', 'another']) {
      const answer = await order(stack, rest, key)
      expect([answer.status, codeOf(answer), answer.body['param']]).toEqual([
        400,
        'FEE_RECIPIENT_REQUIRED',
        'feeRecipientAddress',
      ])
    }
  })

  it.each([{ feeBps: 0 }, {}])(
    'must be registered even if the partner takes no share: %j',
    async (share) => {
      const stranger = { feeRecipientAddress: makeWallet().address, ...share }
      const refused = await send(stack, 'POST', QUOTE, { body: solSend(stack, stranger) })
      expect(codeOf(refused)).toBe('FEE_RECIPIENT_NOT_REGISTERED')
      const own = { feeRecipientAddress: stack.partner.address, ...share }
      const { quote } = await quoteOf(stack, solSend(stack, own))
      expect(quote.feeBreakdown.partnerFee).toBe('0')
    },
  )
})

it('a forged quoteId from before the service existed is QUOTE_MISMATCH', async () => {
  const body = await quoted(solSend(stack))
  const quoteId = `q_${'A'.repeat(60)}`
  const quote = { ...(body['quote'] as object), quoteId }
  expect(codeOf(await order(stack, { ...body, quote }))).toBe('QUOTE_MISMATCH')
})

it.each([
  ['an hour without a key', 'QUOTE_EXPIRED', -1],
  ['a future hour', 'QUOTE_MISMATCH', 2],
] as const)('a forged quoteId of %s is %s', async (_name, code, hours) => {
  const body = await quoted(solSend(stack))
  const quote = body['quote'] as Record<string, unknown>
  const bytes = Buffer.from(String(quote['quoteId']).slice(2), 'base64url')
  bytes.writeUInt32BE(bytes.readUInt32BE(0) + hours, 0)
  const quoteId = `q_${bytes.toString('base64url')}`
  expect(codeOf(await order(stack, { ...body, quote: { ...quote, quoteId } }))).toBe(code)
})

it('a retry is QUOTE_EXPIRED while its epoch is cleared', async () => {
  const request = solSend(stack)
  const { body } = await placed(stack, request, 'cleared')
  const next = await quoted(request)
  const before = await countOrders(stack)
  await stack.database.query(
    `UPDATE orders SET status = 'expired', final_hour = date_trunc('hour', now())`,
    [],
  )
  // A retry is compared with the fingerprint of the first request. `clearEpoch` deletes this fingerprint, but not the
  // idempotency key.
  for (const epoch of await stack.secrets.list()) {
    await clearEpoch(stack.database, stack.secrets, epoch)
  }
  expect(codeOf(await order(stack, body, 'cleared'))).toBe('QUOTE_EXPIRED')
  expect(codeOf(await order(stack, body))).toBe('QUOTE_EXPIRED')
  expect(codeOf(await order(stack, next, 'cleared'))).toBe('IDEMPOTENCY_CONFLICT')
  expect(await countOrders(stack)).toBe(before)
})

/** Wraps a chain node so that it answers all requests except those for accounts. */
function withoutAccounts(rpc: ChainRpc): ChainRpc {
  const gone = () => ({ send: () => Promise.reject(new Error('the node is gone')) })
  return new Proxy(rpc, {
    get: (target, name) =>
      name === 'getMultipleAccounts' ? gone : (Reflect.get(target, name) as unknown),
  })
}

it('an order is UPSTREAM_UNAVAILABLE if the node does not return accounts', async () => {
  let isGone = false
  const rpc = new Proxy(stack.rpc, {
    get: (target, name) => Reflect.get(isGone ? withoutAccounts(target) : target, name) as unknown,
  })
  // This replica didn't make the quote, so it has to read the mint.
  const replica = await startApi({ ...stack, rpc }, stack.settings)
  const usdc = { sourceAssetId: stack.usdc, destinationAssetId: stack.usdc }
  for (const partner of [{}, shared()]) {
    const request = solSend(stack, { ...usdc, ...partner })
    const body = await quoted(request)
    await replica.market.refresh()
    isGone = true
    const failed = await order({ ...stack, ...replica }, body, undefined)
    isGone = false
    expect([failed.status, codeOf(failed)]).toEqual([503, 'UPSTREAM_UNAVAILABLE'])
    expect((await order(stack, body)).headers.get('idempotent-replayed')).toBe('false')
  }
  await replica.stop()
})
