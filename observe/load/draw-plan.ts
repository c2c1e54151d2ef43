import type { SeededRandom } from '../../sim/time/seeded-random.ts'
import { drawPayrolls } from './draw-payrolls.ts'
import type { Mix } from './mix.ts'
import type {
  AmountKind,
  Plan,
  PlannedCrowd,
  PlannedPayment,
  PlannedStep,
  PlannedTopUp,
  Token,
  TransferWay,
} from './plan.ts'
import { coinsAtLeast, seriesAtLeast } from './round-figures.ts'

const HOUR = 3_600
const DAY = 86_400
const PARTNER_BPS = 37
/** Minimum and maximum of the seconds from a top-up to the payment for which it was made. */
const FRESH_SECONDS: readonly [number, number] = [20, 180]
/**
 * After a top-up, the product's clients wait for a time between this minimum and maximum, in seconds. Then they wait
 * for a random time of up to `waitSpread` seconds of the mix.
 */
const QUIET_SECONDS: readonly [number, number] = [3_600, 4_200]
/** A payment from an existing balance is made at least this long after that balance's top-up. */
const REST_SECONDS = 3_600
/** A balance keeps a reserve for a payment's fees: the payment's amount divided by this number, and a fixed amount. */
const FEE_ROOM = 50n

const UNITS: Readonly<Record<Token, bigint>> = { SOL: 1_000_000_000n, USDC: 1_000_000n }
/** Round amounts in tenths of a unit. Common amounts are listed more than once, so that they are drawn more often. */
const PAID: Readonly<Record<Token, readonly bigint[]>> = {
  SOL: [1n, 1n, 2n, 5n, 5n, 10n, 10n, 10n, 20n, 50n],
  USDC: [100n, 200n, 500n, 500n, 1_000n, 1_000n, 1_000n, 2_000n, 5_000n],
}
const TOPPED_UP: Readonly<Record<Token, readonly bigint[]>> = {
  SOL: [50n, 100n, 100n, 200n, 500n],
  USDC: [5_000n, 10_000n, 10_000n, 20_000n, 50_000n],
}
const TENTH = 10n
/** The mean number of wallets that pay the same shared payee. */
const SHARED_EACH = 4

type BalancePayment = Pick<PlannedPayment, 'way' | 'amountKind' | 'payout'>

interface OpenBalance {
  readonly number: number
  readonly wallet: number
  readonly token: Token
  readonly fromSeconds: number
  readonly lifeSeconds: number
  /** The latest time for payments: the balance's end, or up to a day earlier. */
  untilSeconds: number
  /** The amount that is left according to the plan, minus a reserve for fees. */
  left: bigint
}

/**
 * Draws a load with at most `payments` payments, and the top-ups that these payments need. The payments of payroll
 * lists are drawn in addition.
 */
export function drawPlan(mix: Mix, payments: number, random: SeededRandom): Plan {
  const drawer = new PlanDrawer(mix, random)
  for (let count = 0; count < mix.balances.atFirst; count += 1) {
    drawer.topUp(random.below(HOUR), drawer.token())
  }
  const gap = HOUR / mix.perHour
  let atSeconds = 0
  for (let made = 0; made < payments; made += 1) {
    atSeconds += Math.max(1, Math.round(-Math.log(1 - fraction(random)) * gap))
    drawer.pay(atSeconds)
  }
  if (mix.payrolls.owners > 0) drawer.payrolls(atSeconds, random.stream('payrolls'))
  return drawer.plan()
}

const SCALE = 2 ** 30
const fraction = (random: SeededRandom): number => random.below(SCALE) / SCALE

function weighted<Name extends string>(
  random: SeededRandom,
  weights: Readonly<Record<Name, number>>,
): Name {
  const entries = Object.entries(weights) as [Name, number][]
  let left = fraction(random) * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [name, weight] of entries) if ((left -= weight) < 0) return name
  throw new RangeError('every weight of the mix is 0')
}

class PlanDrawer {
  readonly #mix: Mix
  readonly #random: SeededRandom
  readonly #steps: PlannedStep[] = []
  readonly #balances: OpenBalance[] = []
  /** The payees of each wallet so far. */
  readonly #payees: number[][] = []
  /** The payees whom any wallet may pay. */
  readonly #sharedPayees: number[] = []
  #payeeCount = 0

  constructor(mix: Mix, random: SeededRandom) {
    this.#mix = mix
    this.#random = random
  }

  token(): Token {
    return weighted(this.#random, this.#mix.assets)
  }

  plan(): Plan {
    const steps = [...this.#steps].sort((left, right) => left.atSeconds - right.atSeconds)
    return { steps, wallets: this.#payees.length, payees: this.#payeeCount }
  }

  /** Plans a top-up. If it is made for a payment, `payout` is the payment's amount. */
  topUp(atSeconds: number, token: Token, payout?: bigint): OpenBalance {
    const { payments } = this.#mix.balances
    const lifeSeconds = this.#lifeSeconds()
    // A top-up that isn't fitted is a round amount. It usually covers at least half of an average balance's payments.
    const wanted = (UNITS[token] * BigInt(Math.round(payments * TENTHS_EACH[token]))) / TENTH
    const sums = TOPPED_UP[token].map((sum) => (UNITS[token] * sum) / TENTH)
    const fitting = sums.filter((sum) => sum * 2n >= wanted)
    const free = this.#random.pick(fitting.length > 0 ? fitting : sums.slice(-1))
    const isFitted = payout !== undefined && this.#mix.topUps === 'fitted'
    const amount = isFitted ? seriesAtLeast(withFees(payout)) : free
    return this.#open({ atSeconds, token, amount, lifeSeconds, wallet: this.#wallet() })
  }

  /** Plans the payroll lists, in addition to the other payments. */
  payrolls(untilSeconds: number, random: SeededRandom): void {
    drawPayrolls(this.#mix.payrolls, untilSeconds, random, {
      token: () => this.token(),
      wallet: () => this.#payees.push([]) - 1,
      payee: (wallet) => this.#newPayee(wallet),
      amount: (token) => {
        const { round, odd } = this.#mix.amounts
        const amountKind = weighted(this.#random, { round, odd })
        return { amountKind, payout: this.#sum(token, amountKind) }
      },
      topUp: (atSeconds, wallet, token, payouts) => {
        const needed = payouts.reduce((sum, payout) => sum + withFees(payout), 0n)
        const amount = coinsAtLeast(needed, UNITS[token])
        const open = { atSeconds, token, amount, wallet, lifeSeconds: this.#lifeSeconds() }
        return this.#open(open).number
      },
      pay: (payment) => this.#steps.push({ kind: 'payment', ...payment }),
    })
  }

  #lifeSeconds(): number {
    const [least, most] = this.#mix.balances.days
    return Math.round((least + fraction(this.#random) * (most - least)) * DAY)
  }

  #open(topUp: Omit<PlannedTopUp, 'kind' | 'balance' | 'isClosed'>): OpenBalance {
    const { atSeconds, wallet, token, amount, lifeSeconds } = topUp
    const { closed } = this.#mix.balances
    const number = this.#balances.length
    const untilSeconds = atSeconds + lifeSeconds
    const times = { fromSeconds: atSeconds, lifeSeconds, untilSeconds }
    const open = { number, wallet, token, ...times, left: amount }
    this.#balances.push(open)
    this.#steps.push({
      ...{ kind: 'topUp', ...topUp, balance: number },
      isClosed: closed > 0 && this.#hits(closed),
    })
    return open
  }

  pay(atSeconds: number): void {
    const amountKind: AmountKind = weighted(this.#random, this.#mix.amounts)
    const token = this.token()
    const way = weighted(this.#random, this.#mix.ways)
    if (amountKind === 'swap') {
      // A swap asks for no crowd here, because its refund would pay a different asset from the deposit's.
      this.#transfer(atSeconds, amountKind, token, way === 'patient' ? way : 'transfer')
      return
    }
    if (way === 'transfer' || way === 'patient' || way === 'crowd') {
      this.#transfer(atSeconds, amountKind, token, way)
      return
    }
    const payout = this.#sum(token, amountKind)
    if (way === 'fresh') {
      const after = this.#random.between(...FRESH_SECONDS)
      const balance = this.topUp(Math.max(0, atSeconds - after), token, payout)
      this.#payFirst(balance, atSeconds, { way, amountKind, payout })
      return
    }
    if (way === 'waiting') {
      const quiet = this.#random.between(...QUIET_SECONDS)
      const after = quiet + this.#random.below(this.#mix.waitSpread)
      const balance = this.topUp(atSeconds, token, payout)
      this.#payFirst(balance, atSeconds + after, { way, amountKind, payout })
      return
    }
    const open = this.#openBalances(atSeconds, token, payout)
    if (open.length === 0) this.topUp(atSeconds, token)
    else this.#payOut(this.#random.pick(open), atSeconds, { way, amountKind, payout })
  }

  #openBalances(atSeconds: number, token: Token, payout: bigint): OpenBalance[] {
    return this.#balances.filter(
      (one) =>
        one.token === token &&
        one.left > withFees(payout) &&
        one.fromSeconds + REST_SECONDS <= atSeconds &&
        // An owner signs no payment in a balance's last hour.
        one.untilSeconds - HOUR > atSeconds,
    )
  }

  /** Plans the payment for which the balance was topped up, if the balance is large enough. */
  #payFirst(balance: OpenBalance, atSeconds: number, payment: BalancePayment): void {
    if (balance.left >= withFees(payment.payout)) this.#payOut(balance, atSeconds, payment)
  }

  #payOut(balance: OpenBalance, atSeconds: number, payment: BalancePayment): void {
    balance.left -= withFees(payment.payout)
    const renewedSeconds = atSeconds - DAY + balance.lifeSeconds
    balance.untilSeconds = Math.max(balance.untilSeconds, renewedSeconds)
    const payee = this.#payee(balance.wallet)
    this.#steps.push({ kind: 'payment', atSeconds, balance: balance.number, payee, ...payment })
  }

  #transfer(atSeconds: number, amountKind: AmountKind, destination: Token, way: TransferWay): void {
    const isSwap = amountKind === 'swap'
    const source: Token = isSwap ? (destination === 'SOL' ? 'USDC' : 'SOL') : destination
    const wallet = this.#wallet()
    const [minDelaySeconds, maxDelaySeconds] = this.#mix.patience
    this.#steps.push({
      ...{ kind: 'transfer', atSeconds, way, amountKind, wallet, source, destination },
      payee: this.#payee(wallet),
      amount: this.#sum(source, isSwap ? 'round' : amountKind),
      isExactOut: amountKind === 'round' && this.#hits(this.#mix.exactOut),
      partnerBps: this.#hits(this.#mix.partners) ? PARTNER_BPS : 0,
      ...(way === 'crowd' ? { crowd: this.#crowd() } : {}),
      ...(way === 'patient' ? { delays: { minDelaySeconds, maxDelaySeconds } } : {}),
    })
  }

  #crowd(): PlannedCrowd {
    const { min, deliver } = this.#mix.crowds
    const [least, most] = min
    return {
      min: least + this.#random.below(most - least + 1),
      missed: this.#hits(deliver) ? 'deliver' : 'refund',
    }
  }

  /** A round amount, or an amount with arbitrary digits that is 0.5 to 1.5 times a round amount. */
  #sum(token: Token, kind: 'round' | 'odd'): bigint {
    const round = (UNITS[token] * this.#random.pick(PAID[token])) / TENTH
    if (kind === 'round') return round
    return round / 2n + (round * BigInt(this.#random.below(SCALE))) / BigInt(SCALE)
  }

  #wallet(): number {
    const isKnown = this.#payees.length > 0 && this.#hits(this.#mix.returning)
    return isKnown ? this.#random.below(this.#payees.length) : this.#payees.push([]) - 1
  }

  #payee(wallet: number): number {
    const known = this.#payees[wallet] ?? []
    if (known.length > 0 && this.#hits(this.#mix.knownPayees)) return this.#random.pick(known)
    const { sharedPayees } = this.#mix
    if (sharedPayees > 0 && this.#hits(sharedPayees)) return this.#sharedPayee(wallet)
    return this.#newPayee(wallet)
  }

  #sharedPayee(wallet: number): number {
    const isNew = this.#sharedPayees.length === 0 || this.#random.below(SHARED_EACH) === 0
    if (isNew) {
      const payee = this.#newPayee(wallet)
      this.#sharedPayees.push(payee)
      return payee
    }
    const payee = this.#random.pick(this.#sharedPayees)
    this.#payees[wallet]?.push(payee)
    return payee
  }

  #newPayee(wallet: number): number {
    const payee = this.#payeeCount
    this.#payeeCount += 1
    this.#payees[wallet]?.push(payee)
    return payee
  }

  #hits(percent: number): boolean {
    return fraction(this.#random) * 100 < percent
  }
}

/** The usual amount of a payment, in tenths of a unit. */
const TENTHS_EACH: Readonly<Record<Token, number>> = { SOL: 11, USDC: 900 }

const withFees = (payout: bigint): bigint => payout + payout / FEE_ROOM + UNITS.USDC
