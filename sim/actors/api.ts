import type { QuoteRequest, QuoteResponse, SignatureRequest } from '@sotto/contract'
import type { Address } from '@sotto/protocol'
import { quoteText } from '../../packages/server/src/adapters/fast/quote-text.ts'
import type { WorkHint } from '../../packages/server/src/domain/work-hint.ts'
import { PlacesByName } from '../../packages/server/src/running/places-by-name.ts'
import { MarketView } from '../../packages/server/src/usecases/market/market.ts'
import { createOrder } from '../../packages/server/src/usecases/order/create-order.ts'
import { hintDeposit } from '../../packages/server/src/usecases/order/hint-deposit.ts'
import { createPayment } from '../../packages/server/src/usecases/payment/create-payment.ts'
import { NOTE_WAITS_MAX } from '../../packages/server/src/usecases/payment/find-note.ts'
import { quotePayment } from '../../packages/server/src/usecases/payment/quote-payment.ts'
import { quoteTransfer } from '../../packages/server/src/usecases/quote/quote-transfer.ts'
import { readStatus } from '../../packages/server/src/usecases/status/read-status.ts'
import { signPayment } from '../../packages/server/src/usecases/payment/sign-payment.ts'
import { refreshTransaction } from '../../packages/server/src/usecases/order/refresh-transaction.ts'
import { arrivalSecondsOf, lawOf } from '../../packages/server/src/domain/delivery-schedule.ts'
import { apiPort } from '../chain/api-port.ts'
import type { Endpoint } from '../chain/endpoint.ts'
import { Node } from '../chain/node.ts'
import { quickHash } from '../chain/quick-hash.ts'
import { Life } from '../run/life.ts'
import { throughFaults } from '../run/port-call.ts'
import {
  ACCOUNT,
  DELAYS,
  DELIVERY_WINDOW_SECONDS,
  MINTS,
  ORDER_SECONDS,
  PRICES,
  SPREAD_BPS,
} from './setting.ts'
import type { Stage } from './stage.ts'

const DOWN_MS = 20_000

type Dependencies = ReturnType<typeof dependenciesOf>

/**
 * Replaces two limits: on orders that are better than a new quote, and on orders that ask for a crowd. Other tests
 * cover these limits.
 */
const UNLIMITED = {
  take: () => ({ isAllowed: true, retryAfterSeconds: 0 }),
  giveBack: () => undefined,
}

/** Thrown if the process dies before it answers. The caller can't know whether the request had an effect. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** The service's process that answers requests. */
export class Api {
  readonly #stage: Stage
  readonly #endpoint: Endpoint
  readonly #name: string
  #lives = 0
  #life: Life | undefined
  #d: Dependencies | undefined
  readonly #waiting = new Set<(error: Error) => void>()

  constructor(stage: Stage, endpoint: Endpoint, name = 'api') {
    this.#stage = stage
    this.#endpoint = endpoint
    this.#name = name
  }

  start(): void {
    this.#lives += 1
    const life = new Life(this.#stage, `${this.#name}.${this.#lives}`, { ms: 0 }, () =>
      this.#fall(),
    )
    this.#life = life
    this.#d = dependenciesOf(this.#stage, life, this.#endpoint)
  }

  quote(request: QuoteRequest) {
    return this.#serve(async (d) => {
      const { balance } = request
      const { text } =
        balance === undefined
          ? await quoteTransfer(d, ACCOUNT, request)
          : await quotePayment(d, ACCOUNT, { ...request, balance })
      return JSON.parse(text) as QuoteResponse
    })
  }

  order(request: Omit<Parameters<typeof createOrder>[1], 'account'>) {
    return this.#serve((d) => createOrder(d, { ...request, account: ACCOUNT }))
  }

  pay(request: Omit<Parameters<typeof createPayment>[1], 'account'>) {
    return this.#serve((d) => createPayment(d, { ...request, account: ACCOUNT }))
  }

  refresh(trackingId: string) {
    return this.#serve((d) => refreshTransaction(d, ACCOUNT, trackingId))
  }

  status(trackingId: string) {
    return this.#serve((d) => readStatus(d, ACCOUNT.id, trackingId))
  }

  sign(trackingId: string, signature: SignatureRequest) {
    return this.#serve((d) => signPayment(d, ACCOUNT.id, trackingId, signature))
  }

  hint(trackingId: string) {
    return this.#serve((d) => hintDeposit(d, ACCOUNT.id, trackingId))
  }

  /** Answers a request. Rejects the request if the process isn't alive, or dies before the answer. */
  #serve<T>(work: (d: Dependencies) => Promise<T>): Promise<T> {
    const [life, d] = [this.#life, this.#d]
    if (life === undefined || d === undefined || !life.isAlive) {
      return Promise.reject(new ConnectionLost('connection refused'))
    }
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add(reject)
      work(d)
        .then(resolve, reject)
        .finally(() => this.#waiting.delete(reject))
        .catch(() => undefined)
    })
  }

  #fall(): void {
    const { timeline, random } = this.#stage
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    timeline.after(0, () => {
      for (const reject of waiting) reject(new ConnectionLost('the process died'))
    })
    timeline.after(random.between(1_000, DOWN_MS), () => this.start())
  }
}

function dependenciesOf(stage: Stage, life: Life, endpoint: Endpoint) {
  const { signatures, parties, memory } = stage
  const { authoriser, ...pool } = parties
  const port = apiPort({
    node: () => new Node(endpoint),
    signatures,
    pool,
    authoriser: authoriser.address,
    mints: MINTS,
  })
  const rpc = throughFaults(life, 'rpc', 'chain', port)
  const database = <Port extends object>(name: string, port: Port) =>
    throughFaults(life, 'database', name, port)
  const orders = database('orders', memory.orders)
  return {
    accounts: database('accounts', memory.accounts),
    orders,
    authoriser,
    chain: rpc,
    clock: life,
    market: new MarketView({
      chain: rpc,
      store: database('market', memory.market),
      clock: life,
      poseidon: quickHash,
      shownSeconds: DELAYS.maxDelaySeconds,
      usualDelay: DELAYS,
      authoriser: authoriser.address,
      orderSeconds: ORDER_SECONDS,
      prices: PRICES,
      followLimits: { unfollowedMs: 120_000 },
    }),
    poseidon: quickHash,
    noteWaits: new PlacesByName(NOTE_WAITS_MAX),
    leaves: database('leaves', {
      find: async (leaf: bigint) => memory.database.indexOf(leaf),
    }),
    paidPayees: database('paid payees', {
      wasPaid: async (payee: Address) => memory.database.shown.some((one) => one.payee === payee),
    }),
    prices: throughFaults(life, 'prices', 'prices', {
      // One SOL costs about a hundred dollars. A SOL has 10^9 base units, and a dollar has 10^6. So ten base units of
      // SOL cost about one base unit of the dollar.
      readRate: async (source: string) => {
        const [dollars, sol] = [10_000n + BigInt(stage.price.bps), 100_000n]
        const isSol = source === MINTS[0]
        const [numerator, denominator] = isSol ? [dollars, sol] : [sol, dollars]
        return { numerator, denominator, asOfMs: life.nowMs() }
      },
    }),
    random: stage.random.stream(life.name),
    quoteText,
    screener: throughFaults(life, 'screener', 'screener', { isRefused: async () => false }),
    secrets: throughFaults(life, 'keystore', 'keystore', { ...stage.keystore }),
    delays: { ...DELAYS, windowSeconds: DELIVERY_WINDOW_SECONDS },
    law: lawOf(DELAYS),
    arrivalSeconds: arrivalSecondsOf(lawOf(DELAYS), () => undefined),
    quoteSeconds: 60,
    spreadBps: SPREAD_BPS,
    deliveryWindowSeconds: DELIVERY_WINDOW_SECONDS,
    orderSeconds: ORDER_SECONDS,
    swapSeconds: 90,
    accountSharePercent: 50,
    betterOrders: UNLIMITED,
    crowdOrders: { ofAccounts: UNLIMITED, ofNetworks: UNLIMITED },
    ordering: new Set<string>(),
    wake: (hint: WorkHint) => stage.wakeWorkers(hint),
  }
}
