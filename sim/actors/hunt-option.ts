import type { Quote } from '@sotto/contract'
import { NATIVE_MINT, parseWhole } from '@sotto/protocol'
import type { Client } from './client.ts'
import type { PlacedOrder } from './placed-order.ts'
import { SPREAD_BPS } from './setting.ts'

const REFRESHES = 20
const WHOLE = 10_000n
const QUICK_MS = 10_000
/** Seconds after the order in which a customer may pay for a swap, including with refreshed transactions. */
const SWAP_SECONDS = 180n

/**
 * Refreshes a swap's transaction for as long as the service allows. Returns a transaction with which the customer gains
 * at the current rate; undefined if there is none. Fails the run if the service signs a transaction whose rate is
 * better for the customer than the rate of a new quote.
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
    // A slow answer isn't judged, because the rate may have changed after the service read it.
    const isQuick = stage.timeline.nowMs - startedMs < QUICK_MS
    const { transaction } = refreshed.order
    const best = Math.max(gain(quote, before), gain(quote, stage.price.bps))
    if (isQuick && best < SPREAD_BPS)
      stage.watch.fail('a refresh never gives a free option', `${best} bps`)
    const { message } = stage.signatures.read(transaction)
    if (message.kind !== 'deposit') continue
    // `answeredAt` was read when the order's answer arrived. So the order was made at `answeredAt` or earlier, by the
    // chain's clock.
    if (message.terms.validUntil > order.answeredAt + SWAP_SECONDS) {
      stage.watch.fail('a swap lives for three minutes', customer.name)
    }
    if (gain(quote, stage.price.bps) < 0) return transaction
  }
  return undefined
}

/** The service's gain from a swap at the rate `bps`, before the network fee, in basis points, rounded up. */
function gain({ sourceAssetId, amountIn, amountOut, feeBreakdown }: Quote, bps: number): number {
  const { serviceFee, partnerFee } = feeBreakdown
  const rest = BigInt(amountIn) - BigInt(serviceFee) - BigInt(partnerFee)
  const moved = WHOLE + BigInt(bps)
  const worth =
    sourceAssetId === NATIVE_MINT ? (rest * moved) / (10n * WHOLE) : (rest * 10n * WHOLE) / moved
  const gained = ((worth - BigInt(amountOut)) * WHOLE) / worth
  return parseWhole(`${gained + 1n}`)
}
