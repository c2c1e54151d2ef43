import pc from 'picocolors'
import type { CliContext } from '../context.ts'
import { checkEverything } from '../doctor/check-everything.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { rowsTable } from '../output/table.ts'

const SHOWN = { ok: pc.green('ok'), warn: pc.yellow('warn'), fail: pc.red('FAIL') }

/** `doctor`: checks everything that a transfer needs, and explains how to fix each failed check. */
export async function runDoctor(context: CliContext): Promise<ExitCode> {
  context.output.progress.doing('checking')
  const findings = await checkEverything(context)
  const isHealthy = findings.every(({ state }) => state !== 'fail')
  context.output.result({ healthy: isHealthy, findings }, () =>
    rowsTable(
      ['', 'part', 'found', 'fix'],
      findings.map(({ check, state, found, fix }) => [SHOWN[state], check, found, fix ?? '']),
      context.output.width,
    ),
  )
  return isHealthy ? EXIT.done : EXIT.unhealthy
}
