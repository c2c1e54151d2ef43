import type { Quote } from '@sotto/contract'
import { NATIVE_MINT, parseWhole } from '@sotto/protocol'
import type { Client } from './client.ts'
import type { PlacedOrder } from './placed-order.ts'
import { SPREAD_BPS } from './setting.ts'

const REFRESHES = 20
const WHOLE = 10_000n
const QUICK_MS = 10_000
/** A customer may pay for a swap for this many seconds after the order. Refreshed transactions have the same limit. */
const SWAP_SECONDS = 180n

/**
 * Refreshes a swap's transaction for as long as the service allows. Returns a transaction with which the customer gains
 * at the current rate; undefined if there is none. Fails the run if a signed transaction gives the customer a better
 * rate than a new quote would give.
 */
export async function huntOption(
  customer: Client,
  order: PlacedOrder,
): Promise<string | undefined> {
  const { stage, api, random } = customer
  const quote = order.terms.quote as unknown as Quote
  if (quote.sourceAssetId === quote.destinationAssetId) return undefined
  for (let refreshes = 0; refreshes < REFRESHES; refreshes += 1) {
    await stage.timeline.pause(random.between(5_000, 30_000))
    const before = stage.price.bps
    const startedMs = stage.timeline.nowMs
    const refreshed = await api.refresh(order.trackingId).catch(() => undefined)
    if (refreshed === undefined) continue
    // A slow answer isn't checked, because the rate may have changed since the service read it.
    const isQuick = stage.timeline.nowMs - startedMs < QUICK_MS
    const { transaction } = refreshed.order
    const best = Math.max(gain(quote, before), gain(quote, stage.price.bps))
    if (isQuick && best < SPREAD_BPS)
      stage.watch.fail('a refresh never gives a better rate than a new quote', `${best} bps`)
    const { message } = stage.signatures.read(transaction)
    if (message.kind !== 'deposit') continue
    // `answeredAt` is the chain's time when the order's answer arrived, so the order isn't later than `answeredAt`.
    if (message.terms.validUntil > order.answeredAt + SWAP_SECONDS) {
      stage.watch.fail('a swap can be paid for at most three minutes', customer.name)
    }
    if (gain(quote, stage.price.bps) < 0) return transaction
  }
  return undefined
}

/**
 * The service's gain from a swap at the rate `bps`, in basis points, rounded up. It doesn't include the network fee.
 */
function gain({ sourceAssetId, amountIn, amountOut, feeBreakdown }: Quote, bps: number): number {
  const { serviceFee, partnerFee } = feeBreakdown
  const rest = BigInt(amountIn) - BigInt(serviceFee) - BigInt(partnerFee)
  const moved = WHOLE + BigInt(bps)
  const worth =
    sourceAssetId === NATIVE_MINT ? (rest * moved) / (10n * WHOLE) : (rest * 10n * WHOLE) / moved
  const gained = ((worth - BigInt(amountOut)) * WHOLE) / worth
  return parseWhole(`${gained + 1n}`)
}
