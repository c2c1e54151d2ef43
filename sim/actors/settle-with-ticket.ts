import { deliveryTimeAt, floorToGrid, unixSeconds, type SettleRequest } from '@sotto/protocol'
import type { Customer } from './customer.ts'
import type { PlacedOrder } from './placed-order.ts'
import { submitSettlement } from './submit-settlement.ts'

const PAUSE_MAX_MS = 30_000
const ATTEMPTS = 120
const LAST_SECONDS = 120n

/**
 * Settles an order with its ticket and without the service. Some customers deliver as soon as the deposit is final.
 * Others deliver in the last minutes before the expiry. Others refund after the expiry. The service may settle the same
 * order at the same time.
 */
export async function settleWithTicket(customer: Customer, order: PlacedOrder): Promise<void> {
  const { stage, random } = customer
  const patience = random.pick(['none', 'none', 'until the last minutes', 'until the expiry'])
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    await stage.timeline.pause(random.between(1, PAUSE_MAX_MS))
    const { unixSeconds: clock } = stage.chain.newest
    const isRefund = clock > order.note.expiry
    if (patience === 'until the expiry' && !isRefund) continue
    const leftSeconds = order.note.expiry - clock
    if (patience === 'until the last minutes' && leftSeconds > LAST_SECONDS) continue
    const time = isRefund ? floorToGrid(clock) : deliveryTimeAt(clock, order.note.expiry)
    if (time === undefined || (isRefund && time <= order.note.expiry)) continue
    const kind = isRefund ? 'refund' : 'deliver'
    if (submit(customer, order, { kind, time: unixSeconds(time) }) && random.chance(0.5)) return
  }
}

function submit(
  { stage, sender }: Customer,
  { key, note }: PlacedOrder,
  request: SettleRequest,
): boolean {
  const { position } = stage.chain.blockAt('finalized')
  const place = stage.chain.ledger.orders.read(key, position)
  if (place === undefined || place === null) return false
  submitSettlement(stage, sender, { note, leafIndex: place.leafIndex }, request)
  return true
}
