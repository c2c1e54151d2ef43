import type { Signature } from '@solana/kit'
import { startProver } from '@sotto/prover-client'
import { wasmPoseidon } from '@sotto/poseidon'
import { decodeTicket, NATIVE_MINT, TIME_GRID_SECONDS } from '@sotto/protocol'
import { landNote } from '@sotto/recovery'
import { fileURLToPath } from 'node:url'
import type { Stage } from '../stage.ts'
import { deposit, follow, orderSolSend } from './transfer.ts'

const PROVER = fileURLToPath(new URL('../../../packages/prover/sotto-prover.mjs', import.meta.url))
/**
 * A delay that leaves enough time to stop the service before the delivery. It also fits into the shortest delivery
 * window.
 */
const LATE = { minDelaySeconds: 550, maxDelaySeconds: 600 }

/** Stops the service. The user gets the money back with only the ticket. */
export async function ticketRefund(stage: Stage): Promise<void> {
  const name = 'Refund from the ticket, service stopped'
  stage.progress.scene(name)
  const { sender, ordered } = await orderSolSend(stage, 'refund', LATE)
  const depositSignature = await deposit(stage, ordered, sender)
  await follow(stage, ordered.order.trackingId, ['deposited'])
  await stage.stopService()
  stage.progress.done('the service is stopped')

  const ticket = decodeTicket(ordered.order.recovery)
  const { note } = ticket
  // A refund becomes possible one step of the time grid after the expiry.
  await stage.passage.untilTime(note.expiry + TIME_GRID_SECONDS)
  stage.progress.done('the order has expired without a delivery')

  const anyone = await stage.wallet('anyone, settles the refund', { lamports: stage.sizes.solHeld })
  stage.progress.doing('proving the refund from the ticket')
  const prover = await startProver({ executable: PROVER, processes: 1, queueMax: 1 })
  let settleSignature: Signature
  try {
    settleSignature = await landNote({
      rpc: stage.chain.rpc,
      poseidon: wasmPoseidon,
      prove: async (inputs) => (await prover.prove(inputs)).bytes,
      ticket,
      kind: 'refund',
      payer: anyone,
      isLocalChain: true,
    })
  } finally {
    await prover.stop()
  }
  if (await stage.chain.confirm(settleSignature)) throw new Error('the refund failed on chain')
  const { fee } = await stage.chain.feeOf(settleSignature)
  stage.ledger.expect(anyone.address, NATIVE_MINT, -fee, 'transaction fee')
  // The refund is the note's whole value. The partner's share isn't part of that value, so it isn't refunded.
  const back = note.value
  stage.ledger.expect(sender.address, NATIVE_MINT, back, 'refund')
  stage.progress.done(`refunded ${back} with only an RPC endpoint and the ticket`)

  await stage.startService()
  const status = await follow(stage, ordered.order.trackingId, ['refunded'])
  if (status.refund?.signature !== settleSignature || status.refund.amount !== String(back)) {
    throw new Error('the restarted service reports another refund')
  }
  stage.transfers.push({
    name,
    sender: sender.address,
    depositSignature,
    settleSignature,
    asset: NATIVE_MINT,
    value: note.value,
    paid: back,
    accountRent: 0n,
  })
  stage.progress.done('the restarted service reports the refund')
}
