import { WAIT_SPREAD_SECONDS } from '@sotto/protocol'
import type { SeededRandom } from '../../sim/time/seeded-random.ts'
import type { Mix } from './mix.ts'
import type { PlannedPayment, Token } from './plan.ts'

const DAY = 86_400
/** Minimum and maximum of the seconds between two payments of a list out of one balance. */
const GAP_SECONDS: readonly [number, number] = [3, 12]
/** Each top-up for a list is at most this many seconds before or after its regular time. */
const SHIFT_SECONDS = 3_600
/** For this many seconds after a top-up, the time of a payment suggests that the money comes from this top-up. */
const QUIET_SECONDS = 4_200

/** The functions that `drawPayrolls` needs to plan its payments and top-ups. */
export interface PayrollPlan {
  readonly token: () => Token
  readonly wallet: () => number
  readonly payee: (wallet: number) => number
  readonly amount: (token: Token) => Pick<PlannedPayment, 'amountKind' | 'payout'>
  /** Plans a top-up that is large enough for these payments, and returns the balance's number. */
  readonly topUp: (
    atSeconds: number,
    wallet: number,
    token: Token,
    payouts: readonly bigint[],
  ) => number
  readonly pay: (payment: Omit<PlannedPayment, 'kind'>) => void
}

/**
 * Draws owners who pay the same payees the same amounts again and again. Each time, the owner tops up new balances, and
 * waits as `sotto payroll pay --wait` does. The owner pays at a random moment in the six hours that begin
 * `QUIET_SECONDS` after the top-up. At that moment, all balances begin to pay their parts of the list.
 */
export function drawPayrolls(
  { owners, payees, days, balances }: Mix['payrolls'],
  untilSeconds: number,
  random: SeededRandom,
  plan: PayrollPlan,
): void {
  for (let owner = 0; owner < owners; owner += 1) {
    const [token, wallet] = [plan.token(), plan.wallet()]
    const list = Array.from({ length: payees }, () => ({
      payee: plan.payee(wallet),
      ...plan.amount(token),
    }))
    const every = Math.round(days * DAY)
    for (let at = random.below(every); at < untilSeconds; at += every) {
      const topUpSeconds = Math.max(0, at + random.between(-SHIFT_SECONDS, SHIFT_SECONDS))
      const paySeconds = topUpSeconds + QUIET_SECONDS + random.below(WAIT_SPREAD_SECONDS)
      for (let part = 0; part < balances; part += 1) {
        const ofPart = list.filter((_, place) => place % balances === part)
        if (ofPart.length === 0) continue
        const payouts = ofPart.map(({ payout }) => payout)
        const balance = plan.topUp(topUpSeconds, wallet, token, payouts)
        let atSeconds = paySeconds
        for (const one of ofPart) {
          plan.pay({ ...one, way: 'payroll', balance, atSeconds })
          atSeconds += random.between(...GAP_SECONDS)
        }
      }
    }
  }
}
