import { NATIVE_MINT } from '@sotto/protocol'
import type { Stage } from '../stage.ts'
import { awaitDelivery, deposit, orderTransfer } from './transfer.ts'

/** The shortest delay that still separates a delivery from its deposit. */
export const DELAYS = { minDelaySeconds: 1, maxDelaySeconds: 2 }

/** A SOL send, exact_in. */
export async function solSend(stage: Stage): Promise<void> {
  const name = 'SOL send, exact_in'
  stage.progress.scene(name)
  const sender = await stage.wallet('sender, SOL send', { lamports: stage.sizes.solHeld })
  const recipient = await stage.wallet('recipient, SOL send')
  const ordered = await orderTransfer(stage, {
    amount: String(stage.sizes.solSent),
    sourceAssetId: NATIVE_MINT,
    destinationAssetId: NATIVE_MINT,
    senderAddress: sender.address,
    recipientAddress: recipient.address,
    ...DELAYS,
  })
  const signature = await deposit(stage, ordered, sender)
  await awaitDelivery(stage, name, ordered, signature)
}
