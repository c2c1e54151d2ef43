import { encodeTrackingId } from '../../domain/tracking-id.ts'
import { isoOfSeconds } from '../../usecases/iso-time.ts'
import type { Rebuilt } from './rebuild-orders.ts'

/** Data that only the lost database had. It isn't restored. */
export const LOST = [
  'API keys and accounts: make them again with "account add" and "key add"; partners need new keys',
  'fee recipients: register them again with "fee-recipient add"',
  'asset settings (tariffs, limits, names): this database has only the settings that "asset add" wrote',
  'idempotency keys and stored answers: a late retry of POST /order gets QUOTE_EXPIRED',
  'references and each order’s account: all restored orders belong to the account named here',
  'requested delivery delays: drawn again from the configured default delays',
  'requests for a crowd: the transfers are delivered without waiting for a crowd',
  'unpaid orders: unknown until their deposit lands; see runAgainAfter',
  'resealed orders (not refunded a day after their expiry, or balances that payments kept open for 30 days): no key opens them; only their tickets settle them',
  'webhooks, rate limits and attempts: outcomes are read from the chain again',
] as const

/** Formats the command's result for printing. */
export function reportOf(rebuilt: Rebuilt, account: string, writtenOff: number): object {
  const { deposits, restored, alreadyThere, unopened, lastDeadline, hasAllPayees } = rebuilt
  return {
    account,
    deposits,
    restored,
    alreadyThere,
    unopened: unopened.length,
    writtenOff,
    hasAllPayees,
    runAgainAfter: isoOfSeconds(lastDeadline),
    next: nextOf(rebuilt, writtenOff),
    unopenedOrders: unopened.map(({ orderId }) => encodeTrackingId(orderId)),
    notRestored: LOST,
  }
}

function nextOf({ unopened, hasAllPayees }: Rebuilt, writtenOff: number): string[] {
  const steps = [
    'start a worker: it finds the orders that are settled already, and delivers or refunds all other orders',
    'after runAgainAfter, run "rebuild --account <id> --add" once more: it adds orders that were paid late',
  ]
  if (unopened.length > writtenOff) {
    steps.push(
      'for unopened orders: docs/runbooks/rebuild.md says which of them may be missing. If the keystore lacks keys that ' +
        'it had at the loss, add these keys, and run again with --add. Never replace the keystore by an older copy. ' +
        'The keys that may open these orders are kept until the orders are opened, or written off with --write-off',
    )
  }
  if (!hasAllPayees) {
    steps.push(
      'the node lacks a part of the history, so quotes treat every recipient as paid before: run "rebuild --account <id> --add" with a node that has the full history',
    )
  }
  return steps
}
