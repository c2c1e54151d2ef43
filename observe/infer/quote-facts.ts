import type { SeenSettlement, Sightings } from '../chain/sightings.ts'
import { shownTariffs, tariffClassOf } from './shown-tariffs.ts'
import { TariffTimeline, type TariffPoint } from './tariff-timeline.ts'

/**
 * The assumed share of quotes that were made `EARLIER_SECONDS` before their deposit or payment. All others were made
 * immediately before it.
 */
const EARLIER_SHARE = 0.1
const EARLIER_SECONDS = 300
/**
 * The minimum chance of a fact. It isn't 0, because an order may be paid long after its quote, and because an account
 * may have been closed and opened again.
 */
const CHANCE_MIN = 0.01

/** A settlement, a time at which its quote may have been made, and the chance that it was made at this time. */
export interface QuotedAt {
  readonly settlement: number
  readonly seconds: number
  readonly weight: number
}

/**
 * What settlements show about the time of their quote: the tariff of that time, and whether the payee's token account
 * existed. A transfer is quoted just before its deposit. A payment out of a balance is quoted just before it lands.
 */
export class QuoteFacts {
  readonly #settlements: readonly SeenSettlement[]
  readonly #networkFees: readonly (bigint | undefined)[]
  /** The tariff of each moment, by class. Empty until `learn` is called. */
  #timelines = new Map<string, TariffTimeline>()
  /** For each settlement: the result of `logAtPayment`; undefined until it is computed. */
  #atPayment: (number | undefined)[] = []

  constructor({ settlements }: Sightings) {
    this.#settlements = settlements
    this.#networkFees = shownTariffs(settlements)
  }

  /** The logarithm of the chance that a quote for an order at this time shows what the settlement shows. */
  logAt(settlement: number, seconds: number): number {
    const now = this.#chanceAt(settlement, seconds)
    const earlier = this.#chanceAt(settlement, seconds - EARLIER_SECONDS)
    return Math.log(Math.max(CHANCE_MIN, (1 - EARLIER_SHARE) * now + EARLIER_SHARE * earlier))
  }

  /** `logAt` for a payment out of a balance: its quote was made just before it landed. */
  logAtPayment(settlement: number): number {
    const seconds = this.#settlements[settlement]?.seconds ?? 0
    return (this.#atPayment[settlement] ??= this.logAt(settlement, seconds))
  }

  /** Learns the tariff of each moment from these settlements, and forgets the settlements of earlier calls. */
  learn(quotes: readonly QuotedAt[]): void {
    const points = new Map<string, TariffPoint[]>()
    for (const { settlement, seconds, weight } of quotes) {
      const [shown, networkFee] = [this.#settlements[settlement], this.#networkFees[settlement]]
      if (shown === undefined || networkFee === undefined) continue
      const name = tariffClassOf(shown)
      const known = points.get(name) ?? []
      points.set(name, known)
      known.push({ seconds, networkFee, weight })
    }
    this.#timelines = new Map([...points].map(([name, all]) => [name, new TariffTimeline(all)]))
    this.#atPayment = []
  }

  #chanceAt(settlement: number, seconds: number): number {
    const shown = this.#settlements[settlement]
    if (shown === undefined) return 1
    const networkFee = this.#networkFees[settlement]
    const timeline = this.#timelines.get(tariffClassOf(shown))
    const ofTariff =
      networkFee === undefined || timeline === undefined
        ? 1
        : timeline.chanceAt(seconds, networkFee)
    return showsAccount(shown, seconds) ? ofTariff : 0
  }
}

/**
 * True if a quote at this time would have found the payee's account in the state that the settlement shows. If the
 * settlement may open the account, it was quoted while the account was missing. Any other settlement was quoted while
 * the account existed. The second in which the account was opened fits both cases.
 */
function showsAccount({ layout, accountSeconds }: SeenSettlement, seconds: number): boolean {
  if (accountSeconds === undefined) return true
  return layout.opensAccount ? seconds <= accountSeconds : seconds >= accountSeconds
}
