import { Gauge, type Registry } from 'prom-client'
import type { SettlementGauges, SettlementReport } from '../../ports/settlement-gauges.ts'

/** Keeps the newest report, shows it as Prometheus gauges, and returns it for the operator's endpoint. */
export function settlementGauges(
  registry: Registry,
): SettlementGauges & { readonly latest: () => SettlementReport | undefined } {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const ofRelayer = gauge(
    'sotto_relayer_settlements_affordable',
    "Settlements that each relayer can pay for, by the relayer's place in the list.",
    ['relayer'],
  )
  const affordable = gauge(
    'sotto_settlements_affordable',
    'Settlements that the relayers can pay for together.',
  )
  const isLiquid = gauge(
    'sotto_relayers_liquid',
    '0 while new orders are refused because of low balances.',
  )
  const unitPrice = gauge(
    'sotto_unit_price_microlamports',
    'The compute unit price that transactions offer, in micro-lamports. Transactions that close accounts offer SOTTO_UNIT_PRICE_MIN instead.',
  )
  const isAtCeiling = gauge(
    'sotto_unit_price_at_ceiling',
    '1 while the compute unit price is at its limit and cannot rise.',
  )
  const open = gauge(
    'sotto_open_orders',
    'Deposited orders that are not final, open balances included.',
  )
  const payable = gauge('sotto_payable_orders', 'Unpaid orders whose deposit can still land.')
  const overdue = gauge(
    'sotto_oldest_order_overdue_seconds',
    'How long the oldest waiting order or payment has been due, rounded down to 0, 5 min, 15 min, 1 h, 6 h or 1 d. After a try that failed because of its payee, an order is due again at its next try.',
  )
  const lastDelivery = gauge(
    'sotto_last_delivery_hours',
    'Whole hours since the hour of the last delivery; -1 if none is recorded.',
  )
  const keysDestroyed = gauge(
    'sotto_keys_destroyed_until_timestamp_seconds',
    'Every hourly key that was due for destruction before this time is destroyed.',
  )
  // Before the first report, and in a process that doesn't settle orders, the values are unknown. The gauges are
  // removed, because they would show a wrong zero.
  const prices = [unitPrice, isAtCeiling]
  const counts = [affordable, isLiquid, open, payable, overdue, lastDelivery, keysDestroyed]
  for (const one of [...counts, ...prices]) one.remove()
  let latest: SettlementReport | undefined
  return {
    latest: () => latest,
    report: (report) => {
      latest = report
      ofRelayer.reset()
      report.affordableOf.forEach((settlements, index) => {
        ofRelayer.set({ relayer: String(index) }, measured(settlements))
      })
      affordable.set(measured(report.affordable))
      isLiquid.set(report.isLiquid ? 1 : 0)
      unitPrice.set(measured(report.unitPrice))
      isAtCeiling.set(report.isPriceAtCeiling ? 1 : 0)
      open.set(report.open)
      payable.set(report.payable)
      overdue.set(report.overdueSeconds)
      lastDelivery.set(report.lastDeliveryHours ?? -1)
    },
    keysDestroyedUntil: (atMs) => keysDestroyed.set(Math.floor(atMs / 1_000)),
  }
}

/**
 * Converts to floating point, because Prometheus has no other numbers. Such values are only for charts, so no payment
 * depends on them.
 */
const measured = (whole: bigint): number => JSON.parse(`${whole}`) as number
