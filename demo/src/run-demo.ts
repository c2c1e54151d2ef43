import { printReport, type Report } from './report/print-report.ts'
import { bookRelayers } from './report/relayers.ts'
import { costs } from './report/costs.ts'
import { observe } from './report/observer.ts'
import { progressOn, silence } from './progress.ts'
import { openStage } from './open-stage.ts'
import { refresh } from './scenes/refresh.ts'
import { rentBack } from './scenes/rent-back.ts'
import { retry } from './scenes/retry.ts'
import { solSend } from './scenes/sol-send.ts'
import { swap } from './scenes/swap.ts'
import { ticketRefund } from './scenes/ticket-refund.ts'
import { usdcExactOut } from './scenes/usdc-exact-out.ts'

/** In this order: the last two stop the service and let a month pass. */
const SCENES = [solSend, usdcExactOut, swap, refresh, retry, ticketRefund, rentBack]

const jsonOf = (report: Report) =>
  JSON.stringify(report, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )

/** Runs every scene on a fresh local stack; 0 exactly where every balance is exact. */
export async function runDemo(options: {
  readonly json: boolean
  readonly keep: boolean
}): Promise<0 | 1> {
  const started = performance.now()
  const progress = options.json ? silence : progressOn(process.stdout)
  progress.scene('Starting an embedded chain, an embedded database and the service')
  const { stage, relayers, close } = await openStage(progress, options.keep)
  try {
    for (const scene of SCENES) await scene(stage)
    await bookRelayers(stage, relayers)
    const wallets = await stage.ledger.settle()
    const report: Report = {
      ok: wallets.every(({ expected, actual }) => expected === actual),
      seconds: Math.round((performance.now() - started) / 1_000),
      wallets,
      observer: observe(stage),
      costs: await costs(stage),
    }
    if (options.json) process.stdout.write(`${jsonOf(report)}\n`)
    else printReport(report, process.stdout)
    return report.ok ? 0 : 1
  } finally {
    await close()
  }
}
