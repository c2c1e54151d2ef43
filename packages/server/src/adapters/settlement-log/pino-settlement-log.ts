import type { Logger } from 'pino'
import type { SettlementLog } from '../../ports/settlement-log.ts'

/** Writes settlement's reports as structured lines of codes. */
export function pinoSettlementLog(logger: Logger): SettlementLog {
  return {
    alert: (code) => logger.error({ alert: code }, 'settlement needs attention'),
    failed: (step, error) => logger.warn({ step, error: kindOf(error) }, 'settlement step failed'),
    event: (name) => logger.debug({ event: name }, 'settlement'),
  }
}

/** An error's class and code. Its text may hold addresses, amounts or a request's body. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' ? `:${error.code}` : ''
  return `${error.name}${code}`
}
