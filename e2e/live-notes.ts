import { decodeTicket, NATIVE_MINT } from '@sotto/protocol'
import { readProgramFacts } from '@sotto/recovery'
import { address } from '@solana/kit'
import type { Scene } from '../demo/src/play-scenes.ts'
import {
  awaitDelivery,
  deposit,
  follow,
  orderSolSend,
  SHORT_DELAYS,
  type Delays,
  type Ordered,
} from '../demo/src/scenes/transfer.ts'
import type { Stage } from '../demo/src/stage.ts'
import { deliverByTicket } from './deliver-by-ticket.ts'

/**
 * Delays that leave enough time to stop the service before it delivers. They end at about the time when the program has
 * been replaced.
 */
const LATE: Delays = { minDelaySeconds: 60, maxDelaySeconds: 90 }
/** Delays that are longer than any run, so the service never delivers. Only the ticket can deliver. */
const LATEST: Delays = { minDelaySeconds: 1_500, maxDelaySeconds: 1_800 }

/** Replaces the program. Each call resolves when the chain runs the other version. */
export interface Changes {
  readonly upgrade: () => Promise<void>
  readonly rollBack: () => Promise<void>
}

interface Placed {
  readonly name: string
  readonly ordered: Ordered
  readonly depositSignature: string
}

async function place(stage: Stage, name: string, delays: Delays): Promise<Placed> {
  const { sender, ordered } = await orderSolSend(stage, name, delays)
  const depositSignature = await deposit(stage, ordered, sender)
  await follow(stage, ordered.order.trackingId, ['deposited', 'delivering', 'delivered'])
  return { name, ordered, depositSignature }
}

const byService = (stage: Stage, { name, ordered, depositSignature }: Placed) =>
  awaitDelivery(stage, name, ordered, depositSignature)

async function byTicket(stage: Stage, { name, ordered, depositSignature }: Placed) {
  const settleSignature = await deliverByTicket(stage, ordered)
  const { quote, order, request } = ordered
  const [asset, paid] = [NATIVE_MINT, BigInt(quote.amountOut)]
  const { value, sender } = decodeTicket(order.recovery).note
  stage.ledger.expect(address(request.recipientAddress), asset, paid, 'delivery')
  const signatures = { depositSignature, settleSignature }
  stage.transfers.push({ name, sender, ...signatures, asset, value, paid, accountRent: 0n })
  stage.progress.done('delivered with the ticket')
}

async function assertCode({ chain, program, progress }: Stage, isExpected: boolean) {
  const facts = await readProgramFacts(chain.rpc, program)
  if (facts.isExpected !== isExpected) throw new Error('the chain runs the wrong code')
  progress.done(isExpected ? 'the chain runs this version' : 'the chain runs the next version')
}

/**
 * Replaces the program with its next version, and later with the previous version again. Notes that were deposited
 * before a replacement must be delivered after it, by the service and by tickets. The service must also deliver notes
 * that are deposited after a replacement.
 */
export const liveNotes =
  ({ upgrade, rollBack }: Changes): Scene =>
  async (stage) => {
    const { progress } = stage
    progress.scene('Upgrade and roll-back while notes are open')
    const first = await place(stage, 'ticket after the upgrade', LATEST)
    const second = await place(stage, 'ticket after the roll-back', LATEST)
    const third = await place(stage, 'delivered after the upgrade', LATE)
    await stage.stopService()
    await upgrade()
    await assertCode(stage, false)
    await byTicket(stage, first)
    await stage.startService()
    await byService(stage, third)
    await byService(stage, await place(stage, 'deposited after the upgrade', SHORT_DELAYS))
    const fourth = await place(stage, 'delivered after the roll-back', LATE)
    await stage.stopService()
    await rollBack()
    await assertCode(stage, true)
    await byTicket(stage, second)
    await stage.startService()
    await byService(stage, fourth)
    await byService(stage, await place(stage, 'deposited after the roll-back', SHORT_DELAYS))
    for (const { ordered } of [first, second]) {
      await follow(stage, ordered.order.trackingId, ['delivered'])
    }
    progress.done('the service reports every order as delivered')
  }
