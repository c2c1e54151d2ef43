import type { UnixSeconds } from '@sotto/protocol'
import { noticeSecondsOf } from '../../domain/balance.ts'
import { EPOCH_MS, epochAt } from '../../domain/epoch.ts'
import { decodePlan, decodeTerms, encodeTerms } from '../../domain/order-secrets.ts'
import type { EpochSecrets } from '../../ports/secrets.ts'
import type { OpenOrder } from '../../ports/settlement-store.ts'
import type { DestroyDependencies } from './destroy-dependencies.ts'
import { underLease } from '../pay/keep-lease.ts'

/**
 * Number of epochs for which a balance that lives on stays under one key: 30 days, which is as long as the first key of
 * a balance is kept. If the key changed more often, an older backup of the database couldn't return the balance's rest.
 */
export const KEPT_EPOCHS = (30 * 24 * 3_600_000) / EPOCH_MS

/** The times of one round, seconds since 1970 by the chain's clock. */
interface Times {
  readonly now: UnixSeconds
  /** The retention time has passed for orders that ended before this time. */
  readonly late: bigint
}

/**
 * Reseals the open orders of an epoch, one by one, under the current epoch's key, once they have been past their end
 * for the retention time. Such orders can only be refunded, so no recipient can be linked to them, and the old key can
 * be destroyed together with all other secrets of its epoch. A balance that payments keep alive is resealed once its
 * key is 30 days old. Its plan names the leaf of the last payment's change, so the new key links the deposit to that
 * payment, but to no earlier one. The secret of each note is derived from the old key, so the secret itself is sealed
 * under the new one.
 */
export async function resealStragglers(d: DestroyDependencies, epoch: number): Promise<void> {
  const { unixSeconds: now } = await d.store.readCursor()
  const late = now - BigInt(Math.ceil(d.retentionMs / 1_000))
  const stragglers = (await d.store.listOpen()).filter(
    (order) => order.epoch === epoch && order.expiry < late && order.attempt === undefined,
  )
  if (stragglers.length === 0) return
  const from = await d.secrets.read(epoch)
  if (from === undefined) return
  for (const order of stragglers) {
    // An order that can't be resealed doesn't block the others, but its epoch's key survives.
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
  const to = await d.secrets.forNewOrder(current)
  const terms = decodeTerms(from.open(orderId, 'terms', order.sealedTerms))
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
 * True if a balance that lives on may get another key. Once the notice of its end is written, the balance keeps its
 * key: the notice is sealed under this key, and the name of its row is computed with this key. Under another key the
 * notice would be lost, or written a second time.
 */
const mayChangeKey = (
  { epoch, deadline, expiry }: OpenOrder,
  end: UnixSeconds,
  current: number,
  now: UnixSeconds,
): boolean => current - epoch >= KEPT_EPOCHS && now < end - noticeSecondsOf(expiry - deadline)
