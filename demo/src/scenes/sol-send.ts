import type { Stage } from '../stage.ts'
import { awaitDelivery, deposit, orderSolSend } from './transfer.ts'

/** A SOL send with the amount type exact_in. */
export async function solSend(stage: Stage): Promise<void> {
  const name = 'SOL send, exact_in'
  stage.progress.scene(name)
  const { sender, ordered } = await orderSolSend(stage, 'SOL send')
  const signature = await deposit(stage, ordered, sender)
  await awaitDelivery(stage, name, ordered, signature)
}
