import { epochAt } from '../../domain/epoch.ts'
import { decodeTerms, encodeTerms } from '../../domain/order-secrets.ts'
import type { EpochSecrets } from '../../ports/secrets.ts'
import type { OpenOrder } from '../../ports/settlement-store.ts'
import type { DestroyDependencies } from './destroy-dependencies.ts'
import { underLease } from '../pay/keep-lease.ts'

/**
 * Reseals the open orders of an epoch, one by one, under the current epoch's key, once they have been past their first
 * expiry for the retention time. Such an order either can only be refunded, or is a balance whose end was postponed.
 * The sealed data of a balance names no payee. So no recipient can be linked to them, and the old key can be destroyed
 * together with all other secrets of its epoch. The secret of each note is derived from the old key, so the secret
 * itself is sealed under the new one.
 */
export async function resealStragglers(d: DestroyDependencies, epoch: number): Promise<void> {
  const { unixSeconds } = await d.store.readCursor()
  const late = unixSeconds - BigInt(Math.ceil(d.retentionMs / 1_000))
  const stragglers = (await d.store.listOpen()).filter(
    (order) => order.epoch === epoch && order.expiry < late && order.attempt === undefined,
  )
  if (stragglers.length === 0) return
  const from = await d.secrets.read(epoch)
  if (from === undefined) return
  const current = epochAt(d.clock.nowMs())
  const to = await d.secrets.forNewOrder(current)
  for (const order of stragglers) {
    // An order that can't be resealed doesn't block the others, but its epoch's key survives.
    try {
      await reseal(d, order, from, to)
    } catch (error) {
      d.log.failed('reseal', error)
    }
  }
}

async function reseal(
  d: DestroyDependencies,
  order: OpenOrder,
  from: EpochSecrets,
  to: EpochSecrets,
): Promise<void> {
  const { orderId } = order
  const nowMs = d.clock.nowMs()
  const terms = decodeTerms(from.open(orderId, 'terms', order.sealedTerms))
  const noteKey = terms.noteKey ?? from.noteKey(orderId)
  const plan = from.open(orderId, 'plan', order.sealedPlan)
  const resealed = {
    ...{ epoch: to.epoch, plan: order.sealedPlan },
    sealedTerms: to.seal(orderId, 'terms', encodeTerms({ ...terms, noteKey })),
    sealedPlan: to.seal(orderId, 'plan', plan),
  }
  await underLease(d, order, async (lease) => {
    if (await d.store.tryReseal(lease, resealed, nowMs)) d.log.event('order_resealed')
  })
}
