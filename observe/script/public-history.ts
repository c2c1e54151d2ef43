import { amount, NATIVE_MINT, type Address } from '@sotto/protocol'
import type { CrowdWish } from '../../packages/server/src/domain/crowd.ts'
import type { Delays } from '../../packages/server/src/domain/delivery-schedule.ts'
import type { PublicEvent } from '../../packages/server/src/domain/observed-deposits.ts'
import { HABIT_SECONDS, ObservedMarket } from '../../packages/server/src/domain/observed-market.ts'
import {
  stateQuote,
  UNSHARED,
  type QuoteStatement,
} from '../../packages/server/src/domain/state-quote.ts'
import type { Stated } from '../load/ledger.ts'
import { DEFAULT_DELAYS, DELAY_LAW } from './behaviour.ts'
import type { Token } from '../load/plan.ts'
import type { DepositEvent, ScriptEvent, TariffEvent } from './script-events.ts'

/**
 * The age of the data in the service's statements, in seconds: the lag of the finalized chain plus the age of the
 * service's snapshot.
 */
const LAG_SECONDS = 15

/** The service counts no deposit that lands within this many seconds after a change of tariff: see `read-shown.ts`. */
const TARIFF_MIXED_SECONDS = 300

interface Statement {
  /** The time at which the statement is made. */
  readonly atSeconds: number
  /** True if the deposit has landed by the time of the statement. */
  readonly isDeposited: boolean
  /** The delays that the transfer asks for; undefined for the service's default delays. */
  readonly delays?: Delays | undefined
  /** The crowd that the request asks for. */
  readonly crowd?: CrowdWish | undefined
  /**
   * The payee's number. Undefined if the statement ignores earlier payments to the payee. The count of a crowd ignores
   * them.
   */
  readonly payee?: number | undefined
}

/** The deposits and settlements of a script, from which the service computes its statements about privacy. */
export class PublicHistory {
  readonly #byValue = new Map<string, PublicEvent[]>()
  /** For each payee, the time of the first payment to it. */
  readonly #paidAt = new Map<number, number>()
  readonly #tariffChanges: TariffEvent[] = []

  constructor(events: readonly ScriptEvent[]) {
    for (const event of events) this.add(event)
  }

  add(event: ScriptEvent): void {
    if (event.is === 'opening') return
    if (event.is === 'tariff') {
      this.#tariffChanges.push(event)
      return
    }
    // Refunds, and returns of balances' rests, aren't transfers.
    if (event.is === 'settlement' && event.kind === 'return') return
    if (event.is === 'settlement' && event.payee !== undefined) {
      const before = this.#paidAt.get(event.payee) ?? Infinity
      this.#paidAt.set(event.payee, Math.min(before, event.seconds))
    }
    const deposit = event.is === 'deposit' ? event : event.deposit
    const value = event.is === 'deposit' ? event.value : event.payout + event.fee
    const key = keyOf({ asset: deposit.asset, value })
    const known = this.#byValue.get(key) ?? []
    known.push(
      event.is === 'deposit'
        ? { kind: 'deposit', atSeconds: event.seconds, wallet: walletOf(event) }
        : { kind: 'settlement', atSeconds: event.seconds },
    )
    this.#byValue.set(key, known)
  }

  /**
   * The service's statement about a transfer. It is computed by the service's own function, and from the facts that the
   * service would have.
   */
  state(
    deposit: DepositEvent,
    { atSeconds, isDeposited, delays = DEFAULT_DELAYS, crowd, payee }: Statement,
  ): Stated & QuoteStatement {
    const now = atSeconds - LAG_SECONDS
    const isPaidBefore = payee !== undefined && (this.#paidAt.get(payee) ?? Infinity) <= now
    if (isPaidBefore) return { ...UNSHARED, isPaidBefore }
    const since = now - DEFAULT_DELAYS.maxDelaySeconds
    const shown = this.#byValue.get(keyOf(deposit)) ?? []
    const tariffSince = this.#tariffSince(deposit.asset, atSeconds)
    const events = shown.filter(
      (one) =>
        one.atSeconds <= now &&
        one.atSeconds >= since &&
        (one.kind !== 'deposit' || one.atSeconds >= tariffSince),
    )
    const earlier = shown.filter(
      (one) => one.atSeconds < since && one.atSeconds >= since - HABIT_SECONDS,
    )
    const count = (kind: PublicEvent['kind']) => earlier.filter((one) => one.kind === kind).length
    const habit = { deposits: count('deposit'), settlements: count('settlement') }
    const value = amount(deposit.value)
    const mint = NATIVE_MINT
    const market = new ObservedMarket([{ mint, value, events, habit }], DEFAULT_DELAYS, now)
    const stated = stateQuote(market, DELAY_LAW, {
      ...{ mint, value, sender: walletOf(deposit), isDeposited, delays, crowd },
    })
    return { ...stated, isPaidBefore: false }
  }

  /** The service counts no deposit before this time, because the deposit may have an earlier tariff. */
  #tariffSince(asset: Token, atSeconds: number): number {
    const changes = this.#tariffChanges.filter(
      (one) => one.asset === asset && one.seconds <= atSeconds,
    )
    return Math.max(...changes.map(({ seconds }) => seconds)) + TARIFF_MIXED_SECONDS
  }
}

const keyOf = ({ asset, value }: Pick<DepositEvent, 'asset' | 'value'>): string =>
  `${asset} ${value}`
const walletOf = ({ wallet }: DepositEvent) => `wallet ${wallet}` as Address
