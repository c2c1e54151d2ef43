import { quoteText } from '../adapters/fast/quote-text.ts'
import type { Recipients } from '../adapters/chain/recipients/recipients.ts'
import { createChain } from '../adapters/chain/transfer/create-chain.ts'
import { withBoundedClock } from '../adapters/chain/transfer/bounded-clock.ts'
import { withHeadCache } from '../adapters/chain/transfer/head-cache.ts'
import { withRecipientCache } from '../adapters/chain/transfer/recipient-cache.ts'
import type { Meters } from '../adapters/metrics/meters.ts'
import { wasmPoseidon } from '@sotto/poseidon'
import type { ChainRpc } from '../adapters/rpc/rpc-client.ts'
import { sqlAccountStore } from '../adapters/store/account-store.ts'
import { sqlLeafPages } from '../adapters/store/leaf-pages.ts'
import { listedDecimalsOf } from '../adapters/store/listed-decimals.ts'
import { sqlMarketStore } from '../adapters/store/market-store.ts'
import { SqlNotePaths } from '../adapters/store/note-paths.ts'
import { readTreeFile } from '../adapters/tree/tree-file.ts'
import { sqlPaidPayees } from '../adapters/store/paid-payees.ts'
import { sqlOrderStore } from '../adapters/store/order-store.ts'
import { sqlTariffStore } from '../adapters/store/tariff-store.ts'
import { testRecipients } from '../adapters/test-mode/test-recipients.ts'
import type { Database } from '../adapters/store/sql.ts'
import type { Config } from '../config.ts'
import { arrivalSecondsOf, lawOf } from '../domain/delivery-schedule.ts'
import type { WorkHint } from '../domain/work-hint.ts'
import type { UseCases } from '../http/use-cases.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { ServiceLog } from '../ports/service-log.ts'
import type { StatusChanges } from '../ports/status-changes.ts'
import { PlacesByName } from '../running/places-by-name.ts'
import { RateLimit } from '../running/rate-limit.ts'
import { authenticate } from '../usecases/access/authenticate.ts'
import { BETTER_ORDERS } from '../usecases/order/better-orders.ts'
import { createOrder } from '../usecases/order/create-order.ts'
import { forceOutcomes } from '../usecases/order/force-outcomes.ts'
import { hintDeposit } from '../usecases/order/hint-deposit.ts'
import { KnownKeys } from '../usecases/access/known-keys.ts'
import { listOrders } from '../usecases/order/list-orders.ts'
import { listTokens } from '../usecases/market/list-tokens.ts'
import { MarketView } from '../usecases/market/market.ts'
import { QuoteKeys } from '../usecases/quote/quote-keys.ts'
import { quoteTransfer } from '../usecases/quote/quote-transfer.ts'
import { createPayment } from '../usecases/payment/create-payment.ts'
import { NOTE_WAITS_MAX } from '../usecases/payment/find-note.ts'
import { quotePayment } from '../usecases/payment/quote-payment.ts'
import { signPayment } from '../usecases/payment/sign-payment.ts'
import { readLeaves } from '../usecases/status/read-leaves.ts'
import { readStatus } from '../usecases/status/read-status.ts'
import type { TariffDependencies } from '../usecases/market/refresh-tariffs.ts'
import { refreshTransaction } from '../usecases/order/refresh-transaction.ts'
import { crowdOrdersOf } from './crowd-orders-of.ts'
import { delaysOf } from './delays-of.ts'
import { clockMarginOf, followLimitsOf } from './follow-limits-of.ts'
import { priceLimitsOf } from './price-limits-of.ts'
import { assertServable } from './assert-servable.ts'
import { webhookUseCases } from './webhook-use-cases.ts'
import { whyUnready } from './why-unready.ts'
import { openSigner } from './open-keys.ts'
import { openPrices } from './open-prices.ts'
import { openScreener } from './open-screener.ts'

export interface ApiParts {
  readonly config: Config
  readonly database: Database
  readonly rpc: ChainRpc
  /** One client for each node. Omitted or empty if only one node is configured. */
  readonly witnesses?: readonly ChainRpc[]
  readonly recipients: Recipients
  readonly secrets: Secrets
  readonly clock: Clock
  readonly random: Random
  readonly log: Pick<ServiceLog, 'event' | 'failed'>
  readonly meters?: Meters
  /**
   * Wakes the settlement workers, so that they search now for the work that the hint describes. Workers in this process
   * are called directly.
   */
  readonly wake: (hint: WorkHint) => void
  /** Notifications of the status changes that workers make. Without notifications, streams only poll. */
  readonly changes?: StatusChanges
}

export interface ComposedApi {
  readonly useCases: UseCases
  readonly market: MarketView
  readonly tariffs: TariffDependencies
}

/** Builds the dependencies of the HTTP API. Also checks that the pool is compatible with the settings. */
export async function composeApi(parts: ApiParts): Promise<ComposedApi> {
  const { config, database, rpc, witnesses, recipients, secrets, clock, random } = parts
  const at = { rpc, witnesses, recipients, program: config.PROGRAM_ID }
  const direct = createChain(at)
  const followed = clockMarginOf(config) === undefined ? direct : withBoundedClock(direct, clock)
  const chain = withHeadCache(withRecipientCache(followed, clock), clock)
  const authoriser = await openSigner(config, config.AUTHORISER_KEY, clock)
  await assertServable(chain, authoriser.address, config)
  const accounts = sqlAccountStore(database)
  const orders = sqlOrderStore(database, secrets)
  const prices = await openPrices({ ...parts, listedDecimals: listedDecimalsOf(database) })
  const screener = await openScreener(parts)
  const orderSeconds = config.ORDER_SECONDS
  const served = { authoriser: authoriser.address, orderSeconds, clock }
  const market = new MarketView({
    chain,
    store: sqlMarketStore(database),
    poseidon: wasmPoseidon,
    shownSeconds: config.DELAY_MAX_SECONDS,
    usualDelay: delaysOf(config),
    ...served,
    prices: priceLimitsOf(config),
    followLimits: followLimitsOf(config),
  })
  await market.refresh()
  const delays = delaysOf(config)
  const law = lawOf(delays)
  const arrivalSeconds = arrivalSecondsOf(law, () => market.latest?.queue)
  const d = {
    ...{ accounts, orders, prices, screener, market, chain, authoriser },
    paidPayees: sqlPaidPayees(database, clock),
    ...{ delays, law, arrivalSeconds, ordering: new Set<string>() },
    ...{ clock, random, secrets, wake: parts.wake, poseidon: wasmPoseidon },
    ...{ leaves: sqlLeafPages(database), noteWaits: new PlacesByName(NOTE_WAITS_MAX) },
    knownKeys: new KnownKeys(accounts, clock),
    ...{ quoteText, keyMode: keyModeOf(config) },
    quoteSeconds: config.QUOTE_SECONDS,
    spreadBps: config.SPREAD_BPS,
    deliveryWindowSeconds: config.DELIVERY_WINDOW_SECONDS,
    orderSeconds,
    swapSeconds: config.SWAP_SECONDS,
    accountSharePercent: config.ACCOUNT_SHARE_PERCENT,
    betterOrders: new RateLimit('price', clock, BETTER_ORDERS),
    crowdOrders: crowdOrdersOf(config.CROWD_ORDERS_PER_DAY, clock),
  }
  const quoting = { ...d, secrets: new QuoteKeys(secrets, clock) }
  const readKept = () => readTreeFile(config.TREE)
  const reading = { ...d, notePaths: new SqlNotePaths(database, clock, readKept) }
  const useCases: Transferring = {
    ...webhookUseCases(parts, reading),
    authenticate: (header) => authenticate(d, header),
    quoteTransfer: (account, request) => quoteTransfer(quoting, account, request),
    createOrder: (request) => createOrder(d, request),
    refreshTransaction: (account, trackingId) => refreshTransaction(d, account, trackingId),
    signPayment: (account, trackingId, body) => signPayment(reading, account, trackingId, body),
    readStatus: (account, trackingId) => readStatus(reading, account, trackingId),
    hintDeposit: (account, trackingId) => hintDeposit(reading, account, trackingId),
    listTokens: () => listTokens(d),
    readLeaves: (from) => readLeaves(d.leaves, from),
    listOrders: (account, query) => listOrders(d, account, query),
    whyUnready: async () => whyUnready(market, served),
    ...(config.TEST_MODE ? forceOutcomes(quoting, d, testRecipients) : {}),
  }
  const tariffs = {
    ...{ clock, prices, chain, tariffs: sqlTariffStore(database), lastReadings: new Map() },
    priceStep: () => market.latest?.priceStep ?? config.UNIT_PRICE_MIN,
  }
  return { useCases: withPayments(quoting, d, useCases), market, tariffs }
}

type Transferring = Omit<UseCases, 'createPayment'>

/**
 * Adds payments to the use cases. A quote's request is for a payment if it names a balance, and otherwise for a
 * transfer.
 */
function withPayments(
  quoting: Parameters<typeof quotePayment>[0],
  d: Parameters<typeof createPayment>[0],
  useCases: Transferring,
): UseCases {
  const { quoteTransfer: quoteOther } = useCases
  return {
    ...useCases,
    quoteTransfer: (account, request) => {
      const { balance } = request
      if (balance === undefined) return quoteOther(account, request)
      return quotePayment(quoting, account, { ...request, balance })
    },
    createPayment: (request) => createPayment(d, request),
  }
}

/** The mode of valid API keys: live on mainnet, test on every other cluster. */
export function keyModeOf({ CLUSTER }: Config): 'live' | 'test' {
  return CLUSTER === 'mainnet' ? 'live' : 'test'
}
