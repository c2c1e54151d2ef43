import { decodeTicket, NATIVE_MINT } from '@sotto/protocol'
import { address } from '@solana/kit'
import { setTimeout as sleep } from 'node:timers/promises'
import { follow, placeSolSend } from '../demo/src/scenes/transfer.ts'
import type { Stage } from '../demo/src/stage.ts'
import { deliverByTicket } from './deliver-by-ticket.ts'

/** Delays that leave enough time to stop the service before it delivers. */
const LATE = { minDelaySeconds: 500, maxDelaySeconds: 600 }
const POLL_MS = 1_000

/** Waits until the node has pruned all blocks that exist when the wait begins. */
async function untilPruned({ chain, progress }: Stage): Promise<void> {
  const last = await chain.rpc.getSlot({ commitment: 'confirmed' }).send()
  for (;;) {
    const first = await chain.rpc.getFirstAvailableBlock().send()
    if (first > last) return
    progress.doing(`waiting until the node prunes block ${last}; its first block is ${first}`)
    await sleep(POLL_MS)
  }
}

/**
 * A scene in which the node prunes transactions while the service is stopped. Two orders are deposited before the stop.
 * A ticket delivers one of them, and the node prunes the blocks with the deposits and the delivery. The restarted
 * service must deliver the other order, and must report both orders as delivered.
 */
export async function prunedLedger(stage: Stage): Promise<void> {
  const { chain, ledger, progress } = stage
  progress.scene('Deposit and delivery that the node has pruned')
  const settled = await placeSolSend(stage, 'delivered by its ticket', LATE)
  await follow(stage, settled.order.trackingId, ['deposited'])
  const waiting = await placeSolSend(stage, 'deposited before the service stops')
  await stage.stopService()
  progress.done('the service is stopped')

  const signature = await deliverByTicket(stage, settled)
  progress.done('delivered with the ticket')

  await untilPruned(stage)
  if ((await chain.transaction(signature)) !== null)
    throw new Error('the node still has the transaction')
  progress.done('the node has pruned the deposits and the delivery')
  await stage.startService()
  for (const one of [waiting, settled]) {
    const { order, quote, request, name } = one
    const status = await follow(stage, order.trackingId, ['delivered'])
    const [asset, paid] = [NATIVE_MINT, BigInt(quote.amountOut)]
    const { value, sender } = decodeTicket(order.recovery).note
    ledger.expect(address(request.recipientAddress), asset, paid, 'delivery')
    stage.transfers.push({
      ...{ name, sender, asset, value, paid, accountRent: 0n, isPruned: true },
      depositSignature: one.depositSignature,
      // The status has no signature for a settlement by ticket, because the node has pruned the transaction.
      settleSignature: status.delivery?.signature ?? signature,
    })
  }
  progress.done('the restarted service reports both orders as delivered')
}
