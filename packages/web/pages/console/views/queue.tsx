import { showSeconds } from '../../look/durations.ts'
import type { Overview } from '../model/console-api.ts'
import { lateLevel } from '../model/health.ts'

/** The number of open orders, and whether the oldest is late. Only workers know how many deposited orders are open. */
export function Queue({ overview: { open, settlement } }: { readonly overview: Overview }) {
  const overdue = settlement?.overdueSeconds
  return (
    <section class="card" aria-labelledby="queue-title">
      <h2 id="queue-title">Queue</h2>
      <p class="figure">
        {settlement?.open ?? '–'} <span class="unit">open orders and balances</span>
      </p>
      <dl class="rows">
        <div>
          <dt>Waiting for their deposit</dt>
          <dd>{open.awaitingDeposit}</dd>
        </div>
        <div>
          <dt>Being delivered</dt>
          <dd>{open.delivering}</dd>
        </div>
        <div>
          <dt>Being refunded</dt>
          <dd>{open.refunding}</dd>
        </div>
        <div class={lateLevel(overdue ?? 0)}>
          <dt>Oldest is late by</dt>
          <dd>
            {overdue === undefined
              ? 'reported only by workers'
              : overdue === 0
                ? 'nothing is late'
                : `at least ${showSeconds(overdue)}`}
          </dd>
        </div>
        <div>
          <dt>Last delivery</dt>
          <dd>{lastDelivery(settlement?.lastDeliveryHours)}</dd>
        </div>
      </dl>
    </section>
  )
}

function lastDelivery(hours: number | null | undefined): string {
  if (hours === undefined) return 'reported only by workers'
  if (hours === null) return 'none on record'
  return hours === 0 ? 'within the hour' : `${hours} h ago`
}
