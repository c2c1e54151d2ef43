import { NATIVE_MINT } from '@sotto/protocol'
import type { Stage } from '../stage.ts'
import { awaitDelivery, deposit, orderTransfer } from './transfer.ts'

/** One SOL, exact_in: the amount every SOL sender of the demo uses, which makes them a crowd. */
export const SOL_AMOUNT = 1_000_000_000n
/** The shortest delay that still separates a delivery from its deposit. */
export const DELAYS = { minDelaySeconds: 1, maxDelaySeconds: 2 }

/** A SOL send, exact_in. */
export async function solSend(stage: Stage): Promise<void> {
  const name = 'SOL send, exact_in'
  stage.progress.scene(name)
  const sender = await stage.wallet('sender, SOL send', { lamports: 3_000_000_000n })
  const recipient = await stage.wallet('recipient, SOL send')
  const ordered = await orderTransfer(stage, {
    amount: String(SOL_AMOUNT),
    sourceAssetId: NATIVE_MINT,
    destinationAssetId: NATIVE_MINT,
    senderAddress: sender.address,
    recipientAddress: recipient.address,
    ...DELAYS,
  })
  const signature = await deposit(stage, ordered, sender)
  await awaitDelivery(stage, name, ordered, signature)
}
