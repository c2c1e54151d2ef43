import type { TransferResult } from '@sotto/sdk/wallet'
import pc from 'picocolors'
import { fieldsTable } from './table.ts'

/**
 * Describes a transfer's outcome for a person. `amount` is the amount that its settlement paid according to the
 * chain.
 */
export function showResult(
  result: TransferResult,
  ticket: string,
  amount: string | undefined,
): string {
  const { outcome, trackingId } = result
  const status = 'status' in result ? result.status : null
  const code = 'code' in result ? result.code : undefined
  const settlement = 'settlement' in result ? result.settlement : undefined
  const isGood = outcome === 'delivered' || outcome === 'paid'
  const isRefund = outcome === 'refunded'
  return fieldsTable([
    ['outcome', isGood ? pc.green(outcome) : pc.yellow(outcome)],
    [isRefund ? 'returned' : 'arrived', amount],
    [isRefund ? 'sender' : 'recipient', settlement?.payee],
    ['tracking id', trackingId],
    ['because', code ?? status?.refund?.reason],
    ['deposit', status?.deposit?.signature ?? undefined],
    [isRefund ? 'refund' : 'delivery', settlement?.signature],
    ['ticket', ticket],
    ['next', NEXT[outcome]],
  ])
}

const NEXT = {
  delivered: 'the chain proves the delivery; delete the ticket, which reveals who paid whom',
  refunded: 'the money is back with the sender; a new transfer is safe',
  closed: 'to see how it ended, use a node with full history; this node no longer shows it',
  expired: 'nothing was paid; a new transfer is safe',
  not_paid: 'nothing was paid; a new transfer is safe',
  paid: 'keep the ticket until the recipient confirms, or until "sotto recover show" with the tracking id says that it is settled; --resume waits for this proof',
} as const
