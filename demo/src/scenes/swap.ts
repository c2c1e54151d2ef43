import { NATIVE_MINT } from '@sotto/protocol'
import type { Stage } from '../stage.ts'
import { awaitDelivery, deposit, orderTransfer, SHORT_DELAYS } from './transfer.ts'

/** A swap: the sender pays SOL, and the recipient gets USDC from the pool's inventory. */
export async function swap(stage: Stage): Promise<void> {
  const name = 'Private swap, SOL to USDC'
  stage.progress.scene(name)
  const sender = await stage.wallet('sender, swap', { lamports: stage.sizes.solHeld })
  const recipient = await stage.wallet('recipient, swap')
  const ordered = await orderTransfer(stage, {
    amount: String(stage.sizes.solSent),
    sourceAssetId: NATIVE_MINT,
    destinationAssetId: stage.usdc,
    senderAddress: sender.address,
    recipientAddress: recipient.address,
    ...SHORT_DELAYS,
  })
  const signature = await deposit(stage, ordered, sender)
  await awaitDelivery(stage, name, ordered, signature)
}
