import type { Stage } from '../stage.ts'
import { awaitDelivery, deposit, orderSolSend } from './transfer.ts'

/**
 * Repeats an order with the same idempotency key, once before the deposit and once after the delivery. Both answers
 * must have the same bytes as the first answer.
 */
export async function retry(stage: Stage): Promise<void> {
  const name = 'Retry with the same key'
  stage.progress.scene(name)
  const { sender, ordered } = await orderSolSend(stage, 'retry')
  const repeat = async () => {
    const again = await stage.api.order(ordered.quote, ordered.request, ordered.key)
    if (!again.replayed || again.bytes !== ordered.bytes) {
      throw new Error('a retry with the same key did not return the same bytes')
    }
  }
  await repeat()
  stage.progress.done('the same key returned the same bytes and no second order')
  const signature = await deposit(stage, ordered, sender)
  await awaitDelivery(stage, name, ordered, signature)
  await repeat()
  stage.progress.done('the same key returned the same bytes again after the delivery')
}
