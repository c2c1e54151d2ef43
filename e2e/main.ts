import { playScenes, showReport } from '../demo/src/play-scenes.ts'
import { progressOn, silence } from '../demo/src/progress.ts'
import { refresh } from '../demo/src/scenes/refresh.ts'
import { retry } from '../demo/src/scenes/retry.ts'
import { solSend } from '../demo/src/scenes/sol-send.ts'
import { swap } from '../demo/src/scenes/swap.ts'
import { ticketRefund } from '../demo/src/scenes/ticket-refund.ts'
import { usdcExactOut } from '../demo/src/scenes/usdc-exact-out.ts'
import type { CongestedNode } from '../testing/stage/congested-node.ts'
import { congestion } from './congestion.ts'
import { openStage } from './open-stage.ts'
import { parseOptions, type Options } from './options.ts'
import { prunedLedger } from './pruned-ledger.ts'

const SCENES = [solSend, usdcExactOut, swap, refresh, retry]

const NO_REFUND = {
  scene: 'refund from a ticket',
  reason:
    "An undelivered order can be refunded only 25 to 35 minutes after it was made, and a cluster's " +
    "time can't be advanced. --refund waits that long.",
}

function scenesOf({ pruned, refund }: Options, congested: CongestedNode | undefined) {
  if (congested !== undefined) return { scenes: [congestion(congested)], skipped: [] }
  if (pruned === true) return { scenes: [prunedLedger], skipped: [] }
  return refund
    ? { scenes: [...SCENES, ticketRefund], skipped: [] }
    : { scenes: SCENES, skipped: [NO_REFUND] }
}

async function run(options: Options): Promise<0 | 1> {
  const started = performance.now()
  const progress = options.json ? silence : progressOn(process.stdout)
  progress.scene('Setting up the service on the cluster')
  const opened = await openStage(options, progress)
  try {
    const { scenes, skipped } = scenesOf(options, opened.congested)
    const report = await playScenes(opened, scenes, started, skipped)
    return showReport(report, options.json)
  } finally {
    await opened.close()
  }
}

try {
  process.exitCode = await run(parseOptions(process.argv.slice(2)))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`\nThe end-to-end run failed: ${message}\n`)
  process.exitCode = 1
}
