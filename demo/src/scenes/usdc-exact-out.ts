import type { Stage } from '../stage.ts'
import { awaitDelivery, deposit, orderTransfer, SHORT_DELAYS } from './transfer.ts'

/** The recipient gets exactly a round amount of USDC. The partner gets 50 basis points. */
export async function usdcExactOut(stage: Stage): Promise<void> {
  const name = 'USDC send, exact_out, partner fee 50 bps'
  stage.progress.scene(name)
  const amount = String(stage.sizes.tokensDelivered)
  const sender = await stage.wallet('sender, USDC send', {
    lamports: stage.sizes.solHeld,
    usdc: stage.sizes.tokensHeld,
  })
  const recipient = await stage.wallet('recipient, USDC send')
  const ordered = await orderTransfer(stage, {
    amount,
    mode: 'exact_out',
    sourceAssetId: stage.usdc,
    destinationAssetId: stage.usdc,
    senderAddress: sender.address,
    recipientAddress: recipient.address,
    feeBps: 50,
    feeRecipientAddress: stage.partner,
    ...SHORT_DELAYS,
  })
  if (ordered.quote.amountOut !== amount) throw new Error('exact_out was not exact')
  const signature = await deposit(stage, ordered, sender)
  await awaitDelivery(stage, name, ordered, signature)
}
