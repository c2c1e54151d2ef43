import {
  pendingDeposits,
  type PublicEvent,
} from '../../packages/server/src/domain/observed-deposits.ts'
import { statePrivacy, weightOf } from '../../packages/server/src/domain/privacy-statement.ts'
import type { Stated } from '../load/ledger.ts'
import { DEFAULT_DELAYS, DELAY_LAW, LONGEST_DELAYS } from './behaviour.ts'
import type { DepositEvent, ScriptEvent, SettlementEvent } from './draw-events.ts'

/**
 * The age of the data in the service's quotes, in seconds: the lag of the finalized chain plus the age of the
 * service's snapshot.
 */
const LAG_SECONDS = 15
const DAY = 86_400

const grossOf = ({ payout, fee }: SettlementEvent): bigint => payout + fee

/**
 * Computes the privacy statement of each transfer's quote. It uses the same function as the service, and the chain's
 * state at the time of the quote.
 */
export function stateTransfers(events: readonly ScriptEvent[]): Map<SettlementEvent, Stated> {
  const byValue = new Map<string, { seconds: number; event: PublicEvent }[]>()
  for (const event of events) {
    if (event.is === 'settlement' && event.kind === 'return') continue
    const value = event.is === 'deposit' ? event.value : grossOf(event)
    const asset = event.is === 'deposit' ? event.asset : event.deposit.asset
    const shown: PublicEvent =
      event.is === 'deposit'
        ? { kind: 'deposit', atSeconds: event.seconds, wallet: walletOf(event) }
        : { kind: 'settlement', atSeconds: event.seconds }
    const key = `${asset} ${value}`
    const known = byValue.get(key) ?? []
    known.push({ seconds: event.seconds, event: shown })
    byValue.set(key, known)
  }
  const stated = new Map<SettlementEvent, Stated>()
  for (const event of events) {
    if (event.is !== 'settlement' || event.kind !== 'transfer') continue
    const { deposit } = event
    const seenUntil = deposit.madeSeconds - LAG_SECONDS
    const seen = (byValue.get(`${deposit.asset} ${deposit.value}`) ?? []).flatMap((one) =>
      one.seconds <= seenUntil && one.seconds > seenUntil - DAY ? [one.event] : [],
    )
    stated.set(event, stateOne(seen, event, deposit, seenUntil))
  }
  return stated
}

const walletOf = ({ wallet }: DepositEvent) => `wallet ${wallet}` as never

function stateOne(
  seen: readonly PublicEvent[],
  { way }: SettlementEvent,
  deposit: DepositEvent,
  nowSeconds: number,
): Stated {
  const since = nowSeconds - DEFAULT_DELAYS.maxDelaySeconds
  const [recent, earlier] = [true, false].map((isRecent) =>
    seen.filter(({ atSeconds }) => atSeconds >= since === isRecent),
  ) as [PublicEvent[], PublicEvent[]]
  const count = (kind: PublicEvent['kind']) => earlier.filter((one) => one.kind === kind).length
  const habit = { deposits: count('deposit'), settlements: count('settlement') }
  const pending = pendingDeposits(recent, habit, DEFAULT_DELAYS, nowSeconds)
  const delays = way === 'patient' ? LONGEST_DELAYS : DEFAULT_DELAYS
  return statePrivacy(pending, {
    ...{ sender: walletOf(deposit), weight: weightOf(DELAY_LAW, delays), isDeposited: false },
  })
}
