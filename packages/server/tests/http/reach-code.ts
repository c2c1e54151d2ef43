import type { ErrorCode, QuoteRequest } from '@sotto/contract'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { CLOCK_AGE_MAX_MS } from '../../src/usecases/payment/payment-end.ts'
import { makeWallet } from '../settlement/stack/wallet.ts'
import { PROGRAM } from '../settlement/stack/localnet-process.ts'
import {
  balanceQuote,
  orderPayment,
  ownBalance,
  pay,
  paymentBody,
  sendSignature,
  signatureOf,
} from './balance-client.ts'
import type { HttpStack } from './http-stack.ts'
import { order, orderBody, placed, quoteOf, send, solSend, type Answer } from './partner-client.ts'
import { startApi } from './start-api.ts'
import { markSeen, submitDeposit } from './submit-deposit.ts'

type Reach = (stack: HttpStack) => Promise<Answer>

const QUOTE = '/transfer/v1/quote'
const TOKENS = '/transfer/v1/tokens'
const STALE_MS = 11_000

const quote = (stack: HttpStack, change: Partial<QuoteRequest>, apiKey = stack.apiKey) =>
  send(stack, 'POST', QUOTE, { body: solSend(stack, change), apiKey })

const swap = (stack: HttpStack, amount = '1000000000') =>
  solSend(stack, { amount, destinationAssetId: stack.usdc })

/** Requests a quote, and returns the body that would order it. */
async function quoted(stack: HttpStack, request = solSend(stack)) {
  return orderBody((await quoteOf(stack, request)).quote, request)
}

const refresh = (stack: HttpStack, trackingId: string) =>
  send(stack, 'POST', `/transfer/v1/order/${trackingId}/refresh`)

const register = (stack: HttpStack, apiKey: string, url = 'http://127.0.0.1:9/') =>
  send(stack, 'POST', '/transfer/v1/webhooks', { body: { url }, apiKey })

/** Creates a separate account, and returns a key of that account. */
async function keyOf(stack: HttpStack, account: string, ...settings: string[]) {
  await stack.operate('account', 'add', '--id', account, '--name', account, ...settings)
  return (await stack.operate<{ apiKey: string }>('key', 'add', '--account', account)).apiKey
}

/** Makes a request during a fault, and repairs the fault afterwards. */
async function during(
  breakIt: () => Promise<unknown>,
  ask: () => Promise<Answer>,
  mend: () => Promise<unknown>,
) {
  await breakIt()
  try {
    return await ask()
  } finally {
    await mend()
  }
}

/** A database in which the insertion of an order waits for `answered`, once `begun` was called. */
function slow(database: Database, begun: () => void, answered: Promise<void>): Database {
  const query: Database['query'] = async (text, parameters, name) => {
    if (text.includes('INSERT INTO orders')) {
      begun()
      await answered
    }
    return database.query(text, parameters, name)
  }
  return { ...database, query }
}

const ofRequests = {
  INVALID_REQUEST: (stack) => send(stack, 'POST', QUOTE, { text: '{' }),
  INVALID_ADDRESS: (stack) => quote(stack, { recipientAddress: 'nobody' }),
  UNSUPPORTED_ASSET: (stack) => quote(stack, { sourceAssetId: PROGRAM }),
  MODE_NOT_SUPPORTED: (stack) =>
    quote(stack, { destinationAssetId: stack.usdc, mode: 'exact_out' }),
  FEE_RECIPIENT_REQUIRED: (stack) => quote(stack, { feeBps: 1 }),
  UNAUTHORIZED: (stack) => send(stack, 'GET', TOKENS, { apiKey: 'none' }),
  FORBIDDEN: async (stack) => {
    const words = ['key', 'add', '--account', 'acme', '--scopes', 'read']
    return quote(stack, {}, (await stack.operate<{ apiKey: string }>(...words)).apiKey)
  },
  SCREENING_REFUSED: (stack) => quote(stack, { recipientAddress: stack.denied.address }),
  NOT_FOUND: (stack) => send(stack, 'GET', '/transfer/v1/nothing'),
  ORDER_NOT_FOUND: (stack) => send(stack, 'GET', '/transfer/v1/status/x'),
  METHOD_NOT_ALLOWED: (stack) => send(stack, 'GET', QUOTE),
  PAYLOAD_TOO_LARGE: (stack) => send(stack, 'POST', QUOTE, { text: ' '.repeat(65_537) }),
  UNSUPPORTED_MEDIA_TYPE: (stack) =>
    send(stack, 'POST', QUOTE, { text: '{}', headers: { 'content-type': 'text/plain' } }),
  AMOUNT_OUT_OF_RANGE: (stack) => quote(stack, { amount: '0' }),
  RECIPIENT_NOT_PAYABLE: (stack) => quote(stack, { recipientAddress: PROGRAM }),
  FEE_BPS_EXCEEDS_CAP: (stack) =>
    quote(stack, { feeBps: 101, feeRecipientAddress: stack.partner.address }),
  FEE_RECIPIENT_NOT_REGISTERED: (stack) =>
    quote(stack, { feeBps: 1, feeRecipientAddress: makeWallet().address }),
  FEE_RECIPIENT_NOT_PAYABLE: async (stack) => {
    const { address } = makeWallet()
    await stack.operate('fee-recipient', 'add', '--account', 'acme', '--address', address)
    const assets = { sourceAssetId: stack.usdc, destinationAssetId: stack.usdc }
    return quote(stack, { ...assets, feeBps: 1, feeRecipientAddress: address })
  },
} as const satisfies Partial<Record<ErrorCode, Reach>>

const ofOrders = {
  IDEMPOTENCY_CONFLICT: async (stack) => {
    const { body } = await placed(stack, solSend(stack), 'conflict')
    return order(stack, { ...body, recipientAddress: makeWallet().address }, 'conflict')
  },
  ORDER_IN_PROGRESS: async (stack) => {
    const body = await quoted(stack)
    let begin: () => void = () => undefined
    let release: () => void = () => undefined
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const answered = new Promise<void>((resolve) => (release = resolve))
    const database = slow(stack.database, () => begin(), answered)
    const replica = await startApi({ ...stack, database }, stack.settings)
    try {
      const ask = () => order({ ...stack, ...replica }, body)
      const first = ask()
      await begun
      const second = await ask()
      release()
      await first
      return second
    } finally {
      await replica.stop()
    }
  },
  QUOTE_ALREADY_USED: async (stack) => {
    const { body } = await placed(stack, solSend(stack), 'first')
    return order(stack, body, 'second')
  },
  ORDER_ALREADY_DEPOSITED: async (stack) => {
    const { transaction, trackingId } = (await placed(stack, solSend(stack))).order
    await submitDeposit(stack, transaction)
    await markSeen(stack, trackingId)
    return refresh(stack, trackingId)
  },
  ORDER_EXPIRED: async (stack) => {
    const { trackingId } = (await placed(stack, solSend(stack))).order
    // An order's deadline comes after at most 2,400 s. The test advances the clock by much more, because the clock of
    // the confirmed block is some seconds older than the clock of the newest block.
    await stack.localnet.local('localnet_advanceTime', [3_600])
    return refresh(stack, trackingId)
  },
  PRICE_MOVED: async (stack) => {
    const { trackingId } = (await placed(stack, swap(stack))).order
    const moved = () => refresh(stack, trackingId)
    return during(
      () => stack.setRate(14),
      moved,
      () => stack.setRate(15),
    )
  },
  WEBHOOK_LIMIT_REACHED: async (stack) => {
    const apiKey = await keyOf(stack, 'many-hooks')
    for (let count = 0; count < 5; count += 1) await register(stack, apiKey)
    return register(stack, apiKey)
  },
  WEBHOOK_URL_REFUSED: (stack) => register(stack, stack.apiKey, 'http://169.254.169.254/'),
  QUOTE_MISMATCH: async (stack) => {
    const body = await quoted(stack)
    return order(stack, { ...body, quote: { ...(body['quote'] as object), duration: 1 } })
  },
  QUOTE_EXPIRED: async (stack) => {
    const body = await quoted(stack)
    stack.advanceMs(61_000)
    return order(stack, body)
  },
  RATE_LIMITED: async (stack) => {
    const apiKey = await keyOf(stack, 'one-swap', '--open-swaps-max', '1')
    const bodies = [swap(stack), swap(stack)]
    const answers: Answer[] = []
    for (const request of bodies) {
      const made = await send(stack, 'POST', QUOTE, { body: request, apiKey })
      const body = orderBody(made.body['quote'] as never, request)
      answers.push(await order(stack, body, undefined, { apiKey }))
    }
    return answers[0]!.status === 200 ? answers[1]! : answers[0]!
  },
  UNPAID_ORDERS_LIMIT: async (stack) => {
    const apiKey = await keyOf(stack, 'one-order', '--open-orders-max', '1')
    const answers: Answer[] = []
    for (const request of [solSend(stack), solSend(stack)]) {
      const made = await send(stack, 'POST', QUOTE, { body: request, apiKey })
      const body = orderBody(made.body['quote'] as never, request)
      answers.push(await order(stack, body, undefined, { apiKey }))
    }
    return answers[0]!.status === 200 ? answers[1]! : answers[0]!
  },
} as const satisfies Partial<Record<ErrorCode, Reach>>

const ofBalances = {
  BALANCE_NOT_FOUND: async (stack) =>
    balanceQuote(stack, { ...(await ownBalance(stack)), value: 5n }),
  BALANCE_TOO_SMALL: async (stack) =>
    balanceQuote(stack, await ownBalance(stack), { amount: '600000000' }),
  BALANCE_ENDED: async (stack) =>
    balanceQuote(stack, await ownBalance(stack, { lifeSeconds: 60n })),
  NOTE_IN_USE: async (stack) => {
    const balance = await ownBalance(stack)
    await orderPayment(stack, balance)
    const made = await balanceQuote(stack, balance)
    return pay(stack, paymentBody(made, made.request))
  },
  SIGNATURE_INVALID: async (stack) => {
    const balance = await ownBalance(stack)
    const { trackingId, payment } = (await orderPayment(stack, balance)).order
    const other = { ...payment, payout: `${BigInt(payment.payout) + 1n}` }
    return sendSignature(stack, trackingId, signatureOf(stack, balance, other))
  },
  PAYMENT_EXPIRED: async (stack) => {
    const balance = await ownBalance(stack)
    const { trackingId, payment } = (await orderPayment(stack, balance)).order
    await stack.localnet.local('localnet_advanceTime', [3_600])
    // The service may use a reading of the chain's clock for this long. After the pause, it reads the advanced clock.
    await systemClock.sleep(CLOCK_AGE_MAX_MS)
    return sendSignature(stack, trackingId, signatureOf(stack, balance, payment))
  },
} as const satisfies Partial<Record<ErrorCode, Reach>>

const ofTheService = {
  INTERNAL: (stack) =>
    during(
      () => stack.database.query('ALTER TABLE orders RENAME TO orders_gone', []),
      () => send(stack, 'GET', '/transfer/v1/orders'),
      () => stack.database.query('ALTER TABLE orders_gone RENAME TO orders', []),
    ),
  LIQUIDITY_UNAVAILABLE: async (stack) => {
    // Either swap alone fits into the account's share of the inventory. Both together exceed the share.
    const request = swap(stack, '4000000000')
    const [first, second] = [await quoted(stack, request), await quoted(stack, request)]
    const winner = await order(stack, first)
    return winner.status === 200 ? order(stack, second) : winner
  },
  PRICE_UNAVAILABLE: (stack) =>
    quote(stack, { sourceAssetId: stack.usdc, destinationAssetId: solSend(stack).sourceAssetId }),
  UPSTREAM_UNAVAILABLE: (stack) =>
    during(
      async () => {
        await stack.localnet.local('localnet_setFaults', [{ errorRate: 1 }])
        // After this time, the market data is too old for a quote.
        stack.advanceMs(STALE_MS)
      },
      () => quote(stack, {}),
      () => stack.localnet.local('localnet_setFaults', [{}]),
    ),
  SERVICE_PAUSED: (stack) => {
    const pause = async (how: 'on' | 'off') => {
      const asset = ['--admin', stack.adminFile, '--mint', stack.usdc]
      await stack.operate('asset', 'set', ...asset, '--pause-deposits', how)
      await stack.market.refresh()
    }
    const assets = { sourceAssetId: stack.usdc, destinationAssetId: stack.usdc }
    return during(
      () => pause('on'),
      () => quote(stack, assets),
      () => pause('off'),
    )
  },
} as const satisfies Partial<Record<ErrorCode, Reach>>

/**
 * For each error of the registry, a request that gives a partner this error. If a code has no entry, this file doesn't
 * compile.
 */
export const REACH: Record<ErrorCode, Reach> = {
  ...ofRequests,
  ...ofOrders,
  ...ofBalances,
  ...ofTheService,
}
