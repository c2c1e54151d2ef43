export type Level = 'good' | 'warn' | 'bad'

/** The meaning of a settlement alert, written for an on-call operator. */
export interface AlertMeaning {
  readonly level: Exclude<Level, 'good'>
  /** What the alert means in the worst case. */
  readonly text: string
}

/**
 * Every alert of settlement, the most serious first: stolen keys, then money that is missing or can't be paid, then
 * problems that can wait. Alerts with level `bad` are critical in `deploy/prometheus/alerts.yaml`.
 */
export const ALERTS: Readonly<Record<string, AlertMeaning>> = {
  deposit_terms_differ: { level: 'bad', text: 'an authoriser’s key may be stolen' },
  orders_missing: {
    level: 'bad',
    text: 'an authoriser’s key may be stolen, or the database is old',
  },
  books_differ: {
    level: 'bad',
    text: 'money is missing from a vault, or the order table is wrong',
  },
  leaf_differs: { level: 'bad', text: 'an order was changed after it was paid' },
  outcome_contradicts_status: {
    level: 'bad',
    text: 'the status of an order was changed from outside',
  },
  secrets_missing: { level: 'bad', text: 'keys are missing, and orders can’t be delivered' },
  root_mismatch: { level: 'bad', text: 'the tree of notes can’t be verified' },
  note_unclaimed: { level: 'bad', text: 'a note was never settled, and can’t be settled any more' },
  refund_overdue: { level: 'bad', text: 'a refund is a day late' },
  attempt_unknown: { level: 'bad', text: 'it is unknown whether an order was paid' },
  nodes_disagree: { level: 'bad', text: 'nodes disagree on how a note was settled' },
  relayers_dry: { level: 'bad', text: 'no relayer can pay for a delivery' },
  settlement_refused: { level: 'bad', text: 'settlements fail in simulation, so they aren’t sent' },
  relayers_low: { level: 'warn', text: 'relayers are low, and new orders are refused' },
  sender_not_payable: {
    level: 'warn',
    text: 'a sender can’t be refunded, or has no account for the token',
  },
  recipient_not_payable: {
    level: 'warn',
    text: 'a recipient can’t be paid; the order is refunded',
  },
  order_cost_at_limit: {
    level: 'warn',
    text: 'an order’s attempts have reached their cost limit; the order waits for a lower price',
  },
  books_unchecked: { level: 'warn', text: 'chain and database couldn’t be compared' },
  history_missing: { level: 'warn', text: 'no node shows how an order was settled' },
}

const ORDER = Object.keys(ALERTS)

/** The meaning of an alert. An unknown alert counts as serious. */
export const meaningOf = (code: string): AlertMeaning =>
  ALERTS[code] ?? { level: 'bad', text: 'see its runbook' }

/**
 * An alert's rank for sorting. The most serious alerts have the lowest ranks, and unknown alerts come before all
 * others.
 */
export const rankOf = (code: string): number => ORDER.indexOf(code)

/** URL of the page with an alert's runbook. */
export const runbookOf = (code: string): string =>
  `/console/runbook-${code.replaceAll('_', '-')}.html`
