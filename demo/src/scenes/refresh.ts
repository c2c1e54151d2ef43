import { NATIVE_MINT } from '@sotto/protocol'
import type { Stage } from '../stage.ts'
import { awaitDelivery, bookDeposit, follow, orderSolSend } from './transfer.ts'

/**
 * The user submits the first transaction so late that it has expired, and the chain refuses it. Then the user requests
 * two new transactions for the same order and submits both. Both create the same Order account, so only one of them can
 * land (I4).
 */
export async function refresh(stage: Stage): Promise<void> {
  const name = 'Expired transaction, refreshed'
  stage.progress.scene(name)
  const { sender, ordered } = await orderSolSend(stage, 'refresh')
  const { trackingId } = ordered.order
  const expired = await stage.chain.sign(ordered.order.transaction, sender)
  await stage.passage.beyondHeight(BigInt(ordered.order.lastValidBlockHeight))
  await stage.chain.submit(expired.wire)
  if ((await stage.chain.refusal(expired.wire)) === undefined) {
    throw new Error('the chain accepted a transaction whose blockhash has expired')
  }
  stage.progress.done('the first transaction expired before it was sent, and the chain refused it')
  const variants = []
  for (const text of ['refreshed', 'refreshed again']) {
    const { transaction, recovery } = await stage.api.refresh(trackingId)
    if (recovery !== ordered.order.recovery) throw new Error('a refreshed order has another note')
    variants.push(await stage.chain.sign(transaction, sender))
    stage.progress.done(text)
    // The new block has a new blockhash, so the two refreshed transactions differ.
    await stage.passage.oneBlock()
  }
  for (const { wire } of variants) await stage.chain.submit(wire)
  const landed = []
  for (const { signature } of variants) {
    const failure = await stage.chain.confirm(signature)
    if (failure) {
      const { fee } = await stage.chain.feeOf(signature)
      stage.ledger.expect(sender.address, NATIVE_MINT, -fee, 'fee of the refused variant')
    } else landed.push(signature)
  }
  const [signature] = landed
  if (signature === undefined || landed.length > 1) {
    throw new Error(`${landed.length} variants of one order landed`)
  }
  stage.progress.done('both new transactions were submitted, and exactly one landed')
  await bookDeposit(stage, ordered, signature)
  await follow(stage, trackingId, ['deposited', 'delivering', 'delivered'])
  await awaitDelivery(stage, name, ordered, signature)
}
