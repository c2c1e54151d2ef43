import { areExact, readEndBooks } from './report/books.ts'
import { costs } from './report/costs.ts'
import { observe } from './report/observer.ts'
import { printReport, type Report, type Skipped } from './report/print-report.ts'
import { bookRelayers } from './report/relayers.ts'
import { bookRent } from './report/rent.ts'
import type { OpenedStage, Stage } from './stage.ts'

export type Scene = (stage: Stage) => Promise<void>

/** Plays the scenes. Then compares every wallet and every vault with its expected balance. */
export async function playScenes(
  { stage, relayers }: OpenedStage,
  scenes: readonly Scene[],
  startedMs: number,
  skipped: readonly Skipped[] = [],
): Promise<Report> {
  for (const scene of scenes) await scene(stage)
  // Stops the service, because no money may move while the books are read.
  await stage.stopService()
  await bookRelayers(stage, relayers)
  await bookRent(stage)
  const wallets = await stage.ledger.settle()
  const books = await readEndBooks(stage)
  return {
    ok: wallets.every(({ expected, actual }) => expected === actual) && books.every(areExact),
    seconds: Math.round((performance.now() - startedMs) / 1_000),
    wallets,
    books,
    observer: await observe(stage),
    costs: await costs(stage),
    skipped,
  }
}

/** Prints a report, as one line of JSON or as tables. Returns the exit code. */
export function showReport(report: Report, json: boolean): 0 | 1 {
  const text = JSON.stringify(report, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  if (json) process.stdout.write(`${text}\n`)
  else printReport(report, process.stdout)
  return report.ok ? 0 : 1
}
