import type { Stated } from '../load/ledger.ts'
import type { ScriptEvent, SettlementEvent } from './script-events.ts'
import { PublicHistory } from './public-history.ts'

/**
 * Computes the privacy statement of each transfer's quote. It uses the same function as the service, and the chain's
 * state at the time of the quote.
 */
export function stateTransfers(events: readonly ScriptEvent[]): Map<SettlementEvent, Stated> {
  const history = new PublicHistory(events)
  const stated = new Map<SettlementEvent, Stated>()
  for (const event of events) {
    if (event.is !== 'settlement' || event.kind !== 'transfer') continue
    const { deposit, delays, crowd, payee } = event
    stated.set(
      event,
      history.state(deposit, {
        ...{ atSeconds: deposit.madeSeconds, isDeposited: false, delays, crowd, payee },
      }),
    )
  }
  return stated
}
