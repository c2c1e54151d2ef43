import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../demo/src/stack/child-process.ts'
import { QUICK_DELAYS } from '../../demo/src/stack/local-stack.ts'
import type { Status } from '../../demo/src/service-api.ts'
import { SottoApiError } from '../../packages/sdk/server.ts'
import type { Ended } from '../soak/check-balances.ts'
import { deposit, pay, place, type Market, type Ordered } from './customer.ts'
import { until, type Step } from './drill.ts'
import { followOrder } from './follow-order.ts'
import type { InstalledPostgres } from './installed-postgres.ts'
import type { Cluster } from './open-cluster.ts'
import type { Group, RestoreOrders } from './restore-orders.ts'

const SERVER = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url))
/** The account that the set-up creates. The restored orders must belong to this account. */
const ACCOUNT = 'local'
const DRILL = 'restore'
/**
 * The time in seconds for which a quote is valid in this drill. After the loss of the database, the APIs don't start
 * until all earlier quotes have expired.
 */
export const QUOTE_SECONDS = 15

interface Rebuilt {
  readonly restored: number
  readonly alreadyThere: number
  readonly unopened: number
  readonly runAgainAfter: string
}

const EXPIRED = { status: 'expired', final: true, nextAction: 'none', delivery: null, refund: null }

/** Backs up, deletes and restores a database that contains orders of every status. */
export class RestoreDrill {
  readonly steps: Step[] = []
  readonly ended: Ended[] = []
  readonly wrong: string[] = []
  readonly #cluster: Cluster
  readonly #market: Market
  readonly #postgres: InstalledPostgres
  readonly #orders: RestoreOrders
  readonly #backup: string
  readonly #say: (text: string) => void
  #paid = 0
  #runAgainAfter = ''

  constructor(parts: {
    readonly cluster: Cluster
    readonly market: Market
    readonly postgres: InstalledPostgres
    readonly orders: RestoreOrders
    readonly backup: string
    readonly say: (text: string) => void
  }) {
    this.#cluster = parts.cluster
    this.#market = parts.market
    this.#postgres = parts.postgres
    this.#orders = parts.orders
    this.#backup = parts.backup
    this.#say = parts.say
  }

  async run(): Promise<void> {
    await this.#beforeLoss()
    const lostMs = performance.now()
    await this.#lose()
    await this.#restore(lostMs)
    await this.#afterwards()
  }

  async #beforeLoss(): Promise<void> {
    await this.#place('settled before the backup', 'paid')
    await this.#followAll(this.#orders.of('settled before the backup'))
    await this.#place('placed before the backup, paid after the backup')
    await this.#place('placed before the backup, never paid')
    const settled = this.#paid
    const during = this.#place('placed and paid during the backup', 'paid')
    // At the time of the backup, some orders are paid, some are unpaid, and some don't exist yet.
    await until('an order is paid but not settled', () => this.#paid > settled)
    await this.#step('backed up with pg_dump', () => this.#postgres.backUp(this.#backup))
    await during
    await this.#place('settled after the backup', 'paid')
    await this.#followAll(this.#orders.of('settled after the backup'))
    const later = this.#orders.of('placed before the backup, paid after the backup')
    await Promise.all(later.map((one) => pay(this.#market, one)))
    await this.#place('placed after the backup, never paid')
    await this.#place('placed after the backup, paid while all processes were stopped')
    await this.#place('placed after the backup, paid after the database was rebuilt')
    await this.#place('paid after the backup', 'paid')
  }

  async #lose(): Promise<void> {
    await this.#step('lost the database', () => this.#postgres.destroy())
    const { apis, workers } = this.#cluster
    await this.#step('stopped all processes', async () => {
      for (const replica of [...apis, ...workers]) {
        const { exit } = await replica.stop()
        if (exit === 'SIGKILL')
          this.wrong.push(`${replica.name} did not stop after the loss of the database`)
      }
    })
    await this.#deposit('placed after the backup, paid while all processes were stopped')
  }

  async #restore(lostMs: number): Promise<void> {
    await this.#step('restored with pg_restore', async () => {
      await this.#postgres.create()
      await this.#postgres.restore(this.#backup)
    })
    const first = await this.#rebuild()
    const missing = this.#orders.of(
      'settled after the backup',
      'paid after the backup',
      'placed after the backup, paid while all processes were stopped',
    ).length
    if (first.restored < missing) {
      this.wrong.push(`rebuilding found ${first.restored} orders; at least ${missing} were lost`)
    }
    await this.#deposit('placed after the backup, paid after the database was rebuilt')
    const { apis, workers, balancer } = this.#cluster
    await this.#step('started workers', () => Promise.all(workers.map((one) => one.start())))
    const waitMs = QUOTE_SECONDS * 1_000 - (performance.now() - lostMs)
    await this.#step('waited until all earlier quotes expired', () => sleep(Math.max(0, waitMs)))
    await this.#step('started APIs', async () => {
      await Promise.all(apis.map((one) => one.start()))
      for (const { name } of apis) await until(`${name} is ready`, () => balancer.isUp(name))
    })
    this.#did('from the loss to the first answer', performance.now() - lostMs)
    await this.#refuseRetries()
  }

  async #afterwards(): Promise<void> {
    await this.#place('new after the restore', 'paid')
    const open = this.#orders.of(
      'placed and paid during the backup',
      'placed before the backup, paid after the backup',
      'paid after the backup',
      'placed after the backup, paid while all processes were stopped',
      'new after the restore',
    )
    await this.#step('settled the open orders', () => this.#followAll(open))
    // Every order that has ended must still have the same final status, even if it ended before the loss.
    for (const { order, status, drawn } of this.ended) {
      const now = await this.#market.client.status(order.trackingId)
      if (now.status !== status.status) {
        this.wrong.push(`order ${drawn.index} was ${status.status} and is ${now.status}`)
      }
    }
    const { chain, advance } = this.#market.ground
    const again = BigInt(Math.ceil(Date.parse(this.#runAgainAfter) / 1_000))
    await advance(Number(again - (await chain.clock())) + 1)
    await this.#rebuild()
    const late = this.#orders.of(
      'placed after the backup, paid after the database was rebuilt',
      'placed before the backup, never paid',
    )
    await this.#step('settled the orders that were paid late', () => this.#followAll(late))
    await this.#expectForgotten()
  }

  async #rebuild(): Promise<Rebuilt> {
    const { env } = this.#market.ground
    const words = ['--json', 'rebuild', '--account', ACCOUNT, '--add']
    const rebuilt = await this.#step('rebuilt from the chain', async () => {
      // A restored order gets the delays from the service's settings. With the default settings, the drill might wait
      // for half an hour.
      const quick = { ...env, ...QUICK_DELAYS }
      const [result] = await runCommand('sotto-server rebuild', SERVER, words, quick)
      return result as Rebuilt
    })
    this.#say(`  ${rebuilt.restored} orders were restored, ${rebuilt.alreadyThere} already existed`)
    if (rebuilt.unopened > 0) this.wrong.push(`${rebuilt.unopened} orders could not be opened`)
    this.#runAgainAfter = rebuilt.runAgainAfter
    return rebuilt
  }

  /** Retries orders that are missing in the backup. Checks that the service doesn't create them a second time. */
  async #refuseRetries(): Promise<void> {
    const { client } = this.#market
    for (const { terms, key, drawn } of this.#orders.of('paid after the backup')) {
      const code = await client.createOrder(terms, { idempotencyKey: key }).then(
        () => 'an order',
        (error: unknown) => (error instanceof SottoApiError ? error.code : String(error)),
      )
      if (code !== 'QUOTE_EXPIRED') this.wrong.push(`a retry of order ${drawn.index} got ${code}`)
    }
  }

  /** Checks that the unpaid orders that are missing in the backup are lost. Their users have lost no money. */
  async #expectForgotten(): Promise<void> {
    for (const ordered of this.#orders.of('placed after the backup, never paid')) {
      const { trackingId } = ordered.order
      const code = await this.#market.client.status(trackingId).then(
        ({ status }) => status,
        (error: unknown) => (error instanceof SottoApiError ? error.code : String(error)),
      )
      if (code !== 'ORDER_NOT_FOUND') this.wrong.push(`a request for a lost order got ${code}`)
      this.ended.push({ ...ordered, status: EXPIRED })
    }
  }

  async #place(group: Group, upTo?: 'paid'): Promise<void> {
    const placed = await Promise.all(
      this.#orders.drawn(group).map(async (drawn) => {
        const ordered = await place(this.#market, drawn)
        if (upTo === 'paid') await pay(this.#market, ordered)
        if (upTo === 'paid') this.#paid += 1
        return ordered
      }),
    )
    this.#orders.add(group, placed)
  }

  async #deposit(group: Group): Promise<void> {
    for (const ordered of this.#orders.of(group)) {
      const signature = await deposit(this.#market, ordered, ordered.order)
      if (signature === undefined)
        this.wrong.push(`${group}: the transaction expired before it landed`)
    }
  }

  async #followAll(orders: readonly Ordered[]): Promise<void> {
    await Promise.all(
      orders.map(async (ordered) => {
        const record = await followOrder(this.#market.client, ordered)
        this.ended.push({ ...ordered, status: record as Status })
      }),
    )
  }

  async #step<T>(what: string, work: () => Promise<T>): Promise<T> {
    const startedMs = performance.now()
    const result = await work()
    this.#did(what, performance.now() - startedMs)
    return result
  }

  #did(what: string, ms: number): void {
    this.steps.push({ drill: DRILL, what, stopMs: undefined, startMs: ms })
    this.#say(`${DRILL}: ${what} (${(ms / 1_000).toFixed(1)} s)`)
  }
}
