import { RESIDUE_SHARE } from '@sotto/protocol'
import type { CrowdWish } from '../../packages/server/src/domain/crowd.ts'
import type { SeededRandom } from '../../sim/time/seeded-random.ts'
import type { Plan, PlannedPayment, PlannedTopUp, PlannedTransfer, Token } from '../load/plan.ts'
import { DEFAULT_MIX, type Mix } from '../load/mix.ts'
import { ceilToGrid, DEFAULT_DELAYS, type Behaviour, type NoteKind } from './behaviour.ts'
import { Tariffs } from './draw-tariffs.ts'
import { PayeeAccounts } from './payee-accounts.ts'
import { playCrowds, type WaitingTransfer } from './play-crowds.ts'
import type { CrowdOutcome, DepositEvent, ScriptEvent, SettlementEvent } from './script-events.ts'

const WHOLE_BPS = 10_000n
/**
 * For each source token, the rate after the spread: an amount of the destination, and the amount of the source that
 * pays for it. Both are in base units.
 */
const RATES: Readonly<Record<Token, readonly [bigint, bigint]>> = {
  SOL: [15n * 9_970n, 100n * 10_000n],
  USDC: [100n * 9_970n, 15n * 10_000n],
}
/**
 * Ranges in seconds. `SIGNING` lasts from an order to its deposit, and `SETTLING` from the start of a proof to the
 * settlement's block.
 */
const SIGNING: readonly [number, number] = [3, 25]
export const SETTLING: readonly [number, number] = [2, 6]
const DELIVERY_WINDOW = 3_600
const DAY = 86_400
/** A transfer that waits for its crowd is settled at most this many seconds after its expiry. */
const REFUNDED = 660
/** Seconds from an order to its deadline, before the deadline is rounded up to the time grid. */
const ORDER_SECONDS = 1_800
/** Seconds from a transfer's order to its expiry, before the expiry is rounded up to the time grid. */
const TRANSFER_LIFE = ORDER_SECONDS + DELIVERY_WINDOW
/** Seconds from a balance's end until the service returns the rest. */
const RETURNING: readonly [number, number] = [610, 1_500]

/** Seconds from a balance's last payment until its owner closes it: an hour to two days. */
const CLOSING: readonly [number, number] = [3_600, 172_800]
/** The minimum time for which a payment's signature is valid, in seconds. */
const SIGNED_SECONDS = 600
/** Number of steps in the range from which a closed balance's residue is drawn. */
const RESIDUE_PARTS = 1_000_000

const ceilDivide = (dividend: bigint, divisor: bigint) => (dividend + divisor - 1n) / divisor
const shareOf = (sum: bigint, bps: bigint) => ceilDivide(sum * bps, WHOLE_BPS)
const leastBefore = (rest: bigint, bps: bigint) => ceilDivide(rest * WHOLE_BPS, WHOLE_BPS - bps)

/** The facts about a history that don't depend on the service's users. */
type Surroundings = Pick<Mix, 'tariffs' | 'accounts'>

/** Draws the deposits and settlements of a load, in order of time. `behaviour` determines the service's choices. */
export function drawEvents(
  plan: Plan,
  behaviour: Behaviour,
  beginSeconds: number,
  random: SeededRandom,
  { tariffs, accounts }: Surroundings = DEFAULT_MIX,
): ScriptEvent[] {
  const untilSeconds = (plan.steps.at(-1)?.atSeconds ?? 0) + beginSeconds + DELIVERY_WINDOW
  const drawer = new EventDrawer(behaviour, beginSeconds, random, {
    tariffs: new Tariffs(tariffs, beginSeconds, untilSeconds, random.stream('tariffs')),
    accounts: new PayeeAccounts(accounts, beginSeconds, random.stream('accounts')),
  })
  for (const step of plan.steps) {
    switch (step.kind) {
      case 'transfer':
        drawer.transfer(step)
        break
      case 'topUp':
        drawer.topUp(step)
        break
      case 'payment':
        drawer.payment(step)
        break
    }
  }
  return drawer.finish(untilSeconds)
}

interface Balance {
  readonly deposit: DepositEvent
  readonly lifeSeconds: number
  readonly isClosed: boolean
  left: bigint
  usedSeconds: number
  endSeconds: number
}

class EventDrawer {
  readonly #behaviour: Behaviour
  readonly #begin: number
  readonly #random: SeededRandom
  readonly #deposits: DepositEvent[] = []
  readonly #settlements: SettlementEvent[] = []
  readonly #balances = new Map<number, Balance>()
  readonly #waiting: WaitingTransfer[] = []
  readonly #tariffs: Tariffs
  readonly #accounts: PayeeAccounts

  constructor(
    behaviour: Behaviour,
    begin: number,
    random: SeededRandom,
    { tariffs, accounts }: { readonly tariffs: Tariffs; readonly accounts: PayeeAccounts },
  ) {
    this.#behaviour = behaviour
    this.#begin = begin
    this.#random = random
    this.#tariffs = tariffs
    this.#accounts = accounts
  }

  transfer(step: PlannedTransfer): void {
    const { source, destination, wallet, payee, amount } = step
    const bps = BigInt(step.partnerBps)
    const tariff = this.#tariff('transfer', destination, payee, step.atSeconds)
    const amountIn = step.isExactOut
      ? leastBefore(leastBefore(amount + tariff.networkFee, tariff.bps), bps)
      : amount
    const partnerFee = shareOf(amountIn, bps)
    const [numerator, denominator] = source === destination ? [1n, 1n] : RATES[source]
    const value = ((amountIn - partnerFee) * numerator) / denominator
    const deposit = this.#deposit(step.atSeconds, {
      ...{ kind: 'transfer', wallet, source, asset: destination, amountIn, partnerFee, value },
      lifeSeconds: TRANSFER_LIFE,
    })
    const { way, amountKind, delays } = step
    const paid = { payee, way, amountKind, delays, gross: value, tariff }
    if (step.crowd !== undefined) {
      this.#wait(deposit, step.crowd, paid)
      // It isn't known yet whether and when this transfer's delivery opens the account. So the script lets a stranger
      // open it when the transfer would be refunded at the latest, unless it was opened earlier.
      if (tariff.opensAccount) this.#accounts.openByStranger(payee, deposit.expiry + REFUNDED)
      return
    }
    const delay = this.#behaviour.delay(step.delays ?? DEFAULT_DELAYS, this.#random)
    const seconds = deposit.seconds + delay + this.#random.between(...SETTLING)
    this.#settle(deposit, seconds, 'transfer', paid)
  }

  topUp({ atSeconds, balance, wallet, token, amount, ...step }: PlannedTopUp): void {
    const { lifeSeconds, isClosed } = step
    const deposit = this.#deposit(atSeconds, {
      ...{ kind: 'balance', wallet, source: token, asset: token },
      lifeSeconds: ORDER_SECONDS + lifeSeconds,
      ...{ amountIn: amount, partnerFee: 0n, value: amount },
    })
    const times = { lifeSeconds, usedSeconds: deposit.seconds, endSeconds: deposit.expiry }
    this.#balances.set(balance, { deposit, isClosed, left: amount, ...times })
  }

  payment(step: PlannedPayment): void {
    const balance = this.#balances.get(step.balance)
    if (balance === undefined) throw new Error('a payment comes before its top-up')
    const { payee, way, amountKind } = step
    const tariff = this.#tariff('balance', balance.deposit.asset, payee, step.atSeconds)
    const gross = leastBefore(step.payout + tariff.networkFee, tariff.bps)
    balance.left -= gross
    // A payment spends the change of the previous payment, which must have landed.
    const due = Math.max(step.atSeconds + this.#begin, balance.usedSeconds + 1)
    const seconds = due + this.#random.between(...SETTLING)
    const paid = { payee, way, amountKind, gross, tariff }
    this.#settle(balance.deposit, seconds, 'balance', paid)
    balance.usedSeconds = Math.max(balance.usedSeconds, seconds)
    const day = Math.floor(ceilToGrid(due + SIGNED_SECONDS) / DAY) * DAY
    balance.endSeconds = Math.max(balance.endSeconds, day + balance.lifeSeconds)
  }

  /** Closes balances, returns the rests of balances that have ended, plays the crowds, and sorts all events by time. */
  finish(untilSeconds: number): ScriptEvent[] {
    for (const balance of this.#balances.values()) {
      const { deposit, left, endSeconds } = balance
      if (balance.isClosed && left > deposit.value / RESIDUE_SHARE) {
        this.#close(balance, untilSeconds)
        continue
      }
      const seconds = endSeconds + this.#random.between(...RETURNING)
      if (seconds > untilSeconds || left === 0n) continue
      const shared = {
        is: 'settlement',
        kind: 'return',
        way: 'balance',
        amountKind: 'odd',
      } as const
      const paid = { payee: undefined, payout: left, fee: 0n, opensAccount: false }
      this.#settlements.push({ ...shared, ...paid, seconds, deposit })
    }
    const made = [...this.#tariffs.events(), ...this.#deposits, ...this.#settlements].sort(
      (left, right) => left.seconds - right.seconds,
    )
    this.#settlements.push(...playCrowds(made, this.#waiting, this.#random))
    const settlements = this.#behaviour.isInOrder ? this.#inOrder() : this.#settlements
    const surroundings = [...this.#tariffs.events(), ...this.#accounts.events()]
    return [...surroundings, ...this.#deposits, ...settlements].sort(
      (left, right) => left.seconds - right.seconds,
    )
  }

  /**
   * Plays an owner who closes a balance. Some time after the last payment, the owner pays the rest to their own wallet,
   * except for a random residue.
   */
  #close({ deposit, left, usedSeconds }: Balance, untilSeconds: number): void {
    const seconds = usedSeconds + this.#random.between(...CLOSING)
    if (seconds > untilSeconds) return
    const parts = BigInt(this.#random.below(RESIDUE_PARTS + 1))
    const residue = (deposit.value * parts) / (RESIDUE_SHARE * BigInt(RESIDUE_PARTS))
    const bps = this.#behaviour.serviceBps('balance')
    const { exists: networkFee } = this.#tariffs.at(deposit.asset, seconds)
    this.#settle(deposit, seconds, 'balance', {
      ...{ payee: undefined, way: 'balance', amountKind: 'rest', gross: left - residue },
      tariff: { bps, networkFee, opensAccount: false },
    })
  }

  /** Lets a transfer wait for its crowd. A refund pays back the note's whole value, without a fee. */
  #wait(deposit: DepositEvent, wish: CrowdWish, paid: Paid): void {
    const settle = (seconds: number, outcome: CrowdOutcome): SettlementEvent => {
      const crowd = { ...wish, outcome }
      if (outcome === 'refunded') {
        const returned = { payout: deposit.value, fee: 0n, payee: undefined, opensAccount: false }
        const { way, amountKind } = paid
        const kind = { is: 'settlement', kind: 'return', way, amountKind } as const
        return { ...kind, ...returned, seconds, deposit, crowd }
      }
      const landed = seconds + this.#random.between(...SETTLING)
      const way = outcome === 'came' ? paid.way : 'missed'
      return { ...settlementOf(deposit, landed, 'transfer', { ...paid, way }), crowd }
    }
    this.#waiting.push({ deposit, wish, settle })
  }

  #tariff(kind: NoteKind, asset: Token, payee: number, atSeconds: number) {
    const quoted = this.#begin + atSeconds
    const opensAccount = asset === 'USDC' && !this.#accounts.exists(payee, quoted)
    const { exists, opened } = this.#tariffs.at(asset, quoted)
    const networkFee = opensAccount ? opened : exists
    return { bps: this.#behaviour.serviceBps(kind), networkFee, opensAccount }
  }

  #deposit(
    atSeconds: number,
    {
      lifeSeconds,
      ...event
    }: Omit<DepositEvent, 'is' | 'seconds' | 'madeSeconds' | 'expiry'> & {
      readonly lifeSeconds: number
    },
  ): DepositEvent {
    const madeSeconds = this.#begin + atSeconds
    const seconds = madeSeconds + this.#random.between(...SIGNING)
    const expiry = ceilToGrid(madeSeconds + lifeSeconds)
    const deposit = { ...event, is: 'deposit', seconds, madeSeconds, expiry } as const
    this.#deposits.push(deposit)
    return deposit
  }

  #settle(deposit: DepositEvent, seconds: number, kind: 'transfer' | 'balance', paid: Paid): void {
    if (paid.tariff.opensAccount && paid.payee !== undefined)
      this.#accounts.open(paid.payee, seconds)
    this.#settlements.push(settlementOf(deposit, seconds, kind, paid))
  }

  /** Delays each transfer until all transfers with an earlier deposit are delivered. */
  #inOrder(): SettlementEvent[] {
    const transfers = this.#settlements
      .filter(({ kind }) => kind === 'transfer')
      .sort((left, right) => left.deposit.seconds - right.deposit.seconds)
    let last = 0
    const queued = transfers.map((one) => {
      last = Math.max(one.seconds, last + 1)
      return { ...one, seconds: last }
    })
    return [...queued, ...this.#settlements.filter(({ kind }) => kind !== 'transfer')]
  }
}

interface Paid extends Pick<SettlementEvent, 'payee' | 'way' | 'amountKind' | 'delays'> {
  readonly gross: bigint
  readonly tariff: { bps: bigint; networkFee: bigint; opensAccount: boolean }
}

function settlementOf(
  deposit: DepositEvent,
  seconds: number,
  kind: 'transfer' | 'balance',
  { gross, tariff, ...paid }: Paid,
): SettlementEvent {
  const fee = shareOf(gross, tariff.bps) + tariff.networkFee
  const { opensAccount } = tariff
  const shared = { is: 'settlement', kind, seconds, deposit, opensAccount } as const
  return { ...shared, ...paid, payout: gross - fee, fee }
}
