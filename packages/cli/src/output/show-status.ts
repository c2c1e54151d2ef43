import { linkInWords, type OrderStatusRecord, type Token } from '@sotto/sdk/server'
import { toDecimal } from '../amounts/decimal.ts'
import { fieldsTable } from './table.ts'

type ChainEvent = NonNullable<OrderStatusRecord['deposit']>

const NEXT = {
  sign: 'sign and submit the transaction',
  refresh: 'ask for a new transaction, because the last one expired',
  wait: 'wait',
  none: undefined,
} as const

/** The command asks only the service. A service that lies could make a person delete a ticket that is still needed. */
const UNPROVEN = 'only the service says so; check it with your node: sotto recover show'

/** An amount with its symbol. If the service doesn't list the asset any more, the amount is in base units. */
export function showAmount(units: string, assetId: string, tokens: readonly Token[]): string {
  const token = tokens.find((one) => one.assetId === assetId)
  if (token === undefined) return `${units} base units of ${assetId}`
  return `${toDecimal(units, token.decimals)} ${token.symbol}`
}

/** Describes a status record for a person. */
export function showStatus(order: OrderStatusRecord, tokens: readonly Token[]): string {
  const event = (one: ChainEvent | null) =>
    one === null
      ? undefined
      : [
          one.amount === null
            ? 'an amount no longer on record'
            : showAmount(one.amount, one.assetId, tokens),
          one.at,
          one.signature ?? 'signature no longer on record',
          one.reason ?? '',
        ]
          .join('  ')
          .trimEnd()
  return fieldsTable([
    ['tracking id', order.trackingId],
    ['reference', order.reference],
    ['status', order.final ? `${order.status} (final)` : order.status],
    ['proof', order.final ? UNPROVEN : undefined],
    ['pays', showAmount(order.amountIn, order.sourceAssetId, tokens)],
    ['arrives', showAmount(order.amountOut, order.destinationAssetId, tokens)],
    ['left', order.final ? undefined : `about ${order.eta} s`],
    ['next', NEXT[order.nextAction]],
    ['can be linked', linkInWords(order)],
    ['pay by', order.status === 'awaiting_deposit' ? order.expiration : undefined],
    ['refunded from', order.final ? undefined : order.deliverBy],
    ['deposit', event(order.deposit)],
    ['delivery', event(order.delivery)],
    ['refund', event(order.refund)],
  ])
}
