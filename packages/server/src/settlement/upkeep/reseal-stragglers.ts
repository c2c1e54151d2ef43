import type { UnixSeconds } from '@sotto/protocol'
import { noticeSecondsOf } from '../../domain/balance.ts'
import { EPOCH_MS, epochAt, hourOfEpoch, topUpEpochOf } from '../../domain/epoch.ts'
import { decodePlan, decodeTerms, encodeTerms } from '../../domain/order-secrets.ts'
import type { EpochSecrets } from '../../ports/secrets.ts'
import type { OpenOrder } from '../../ports/settlement-store.ts'
import type { DestroyDependencies } from './destroy-dependencies.ts'
import { underLease } from '../pay/keep-lease.ts'

/**
 * The age, in epochs, at which the key of a balance that payments keep open is replaced: 30 days, like
 * `BALANCE_SECONDS_MAX`. After the replacement, the old key is destroyed. Then an older backup of the database can't
 * return the balance's rest. So frequent replacements would make even recent backups useless.
 */
export const KEPT_EPOCHS = (30 * 24 * 3_600_000) / EPOCH_MS

/** The times of one round, in seconds since 1970 by the chain's clock. */
interface Times {
  readonly now: UnixSeconds
  /** For orders that expired before this time, the retention time has passed. */
  readonly late: bigint
}

/**
 * Seals orders of an epoch again, one by one, under the current epoch's key. These are the orders in `open` whose
 * newest note expired longer ago than the retention time. Such orders can only be refunded, so no recipient can be
 * linked to them. Afterwards the old key can be destroyed, together with all other secrets of its epoch.
 *
 * A balance that payments keep open gets a new key when its key is 30 days old. The balance's plan contains the leaf
 * index of the last payment's change. So anyone who has the new key can link the deposit to the last payment. The
 * secret of the deposit's note is derived from the old key, so the order's terms under the new key contain this secret.
 * The secret links the deposit to the first payment, but not to the payments in between.
 */
export async function resealStragglers(
  d: DestroyDependencies,
  epoch: number,
  open: readonly OpenOrder[],
): Promise<void> {
  const { unixSeconds: now } = await d.store.readCursor()
  const late = now - BigInt(Math.ceil(d.retentionMs / 1_000))
  const stragglers = open.filter(
    (order) => order.epoch === epoch && order.expiry < late && order.attempt === undefined,
  )
  if (stragglers.length === 0) return
  const from = await d.secrets.read(epoch)
  if (from === undefined) return
  for (const order of stragglers) {
    // If an order can't be sealed again, the other orders are still sealed again, but the epoch's key isn't destroyed.
    try {
      await reseal(d, order, from, { now, late })
    } catch (error) {
      d.log.failed('reseal', error)
    }
  }
}

async function reseal(
  d: DestroyDependencies,
  order: OpenOrder,
  from: EpochSecrets,
  times: Times,
): Promise<void> {
  const { orderId } = order
  const nowMs = d.clock.nowMs()
  const current = epochAt(nowMs)
  const plan = from.open(orderId, 'plan', order.sealedPlan)
  const end = decodePlan(plan).note?.expiry ?? order.expiry
  if (end >= times.late && !mayChangeKey(order, end, current, times.now)) return
  const terms = decodeTerms(from.open(orderId, 'terms', order.sealedTerms))
  const to = await d.secrets.forNewOrder(
    terms.owner === undefined ? current : topUpEpochOf(current),
  )
  const noteKey = terms.noteKey ?? from.noteKey(orderId)
  const resealed = {
    ...{ epoch: to.epoch, plan: order.sealedPlan },
    sealedTerms: to.seal(orderId, 'terms', encodeTerms({ ...terms, noteKey })),
    sealedPlan: to.seal(orderId, 'plan', plan),
  }
  await underLease(d, order, async (lease) => {
    if (await d.store.tryReseal(lease, resealed, nowMs)) d.log.event('order_resealed')
  })
}

/**
 * True if a balance that payments keep open may get a new key. The notice of the balance's end is sealed under the
 * balance's key, and the name of the notice's row is computed with this key. So after the notice is written, the
 * balance keeps its key. With a new key, the notice would be lost, or written a second time.
 */
const mayChangeKey = (
  { epoch, deadline, expiry }: OpenOrder,
  end: UnixSeconds,
  current: number,
  now: UnixSeconds,
): boolean =>
  current - hourOfEpoch(epoch) >= KEPT_EPOCHS && now < end - noticeSecondsOf(expiry - deadline)
