import { openStage } from './open-stage.ts'
import { playScenes, showReport } from './play-scenes.ts'
import { progressOn, silence } from './progress.ts'
import { balanceScenes } from './scenes/balance.ts'
import { refresh } from './scenes/refresh.ts'
import { rentBack } from './scenes/rent-back.ts'
import { retry } from './scenes/retry.ts'
import { solSend } from './scenes/sol-send.ts'
import { swap } from './scenes/swap.ts'
import { ticketRefund } from './scenes/ticket-refund.ts'
import { usdcExactOut } from './scenes/usdc-exact-out.ts'

const [topUp, payOut] = balanceScenes()

/**
 * The scenes in order. The order matters: `payOut` lets a day pass, `ticketRefund` stops the service, and `rentBack`
 * lets two months pass.
 */
const SCENES = [topUp, solSend, usdcExactOut, swap, refresh, retry, payOut, ticketRefund, rentBack]

/** Runs every scene on a fresh local stack. Returns 0 only if every balance is exact. */
export async function runDemo(options: {
  readonly json: boolean
  readonly keep: boolean
}): Promise<0 | 1> {
  const started = performance.now()
  const progress = options.json ? silence : progressOn(process.stdout)
  progress.scene('Starting an embedded chain, an embedded database and the service')
  const opened = await openStage(progress, options.keep)
  try {
    return showReport(await playScenes(opened, SCENES, started), options.json)
  } finally {
    await opened.close()
  }
}
