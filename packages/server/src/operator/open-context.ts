import { systemClock } from '../adapters/clock/system-clock.ts'
import type { Patience } from '../adapters/rpc/patience.ts'
import type { Config } from '../config.ts'
import type { OperatorContext } from './context.ts'
import { openNodes } from '../start/open-rpc.ts'
import { priceLimitsOf } from '../start/price-limits-of.ts'
import { openServiceDatabase } from '../start/open-service-database.ts'

/**
 * A command waits for nodes that demand a pause, up to ten minutes in all. Public nodes demand up to two minutes.
 */
const PATIENCE: Patience = {
  totalMs: 600_000,
  waiting: (ms) =>
    report(`the RPC node refuses further requests for now: waiting for ${Math.ceil(ms / 1_000)} s`),
}

/** Prints progress on standard error, because standard output has the command's result. */
function report(line: string): void {
  console.error(line)
}

function onInterrupt(listener: () => void): () => void {
  process.once('SIGINT', listener)
  return () => void process.off('SIGINT', listener)
}

/** Opens the configuration and the database, and closes the database even if `work` fails. */
export async function withOpenedContext(
  readConfig: () => Config,
  out: OperatorContext['out'],
  work: (context: OperatorContext) => Promise<void>,
): Promise<void> {
  const config = readConfig()
  const database = await openServiceDatabase(config)
  try {
    const { rpc, witnesses } = openNodes(config, undefined, undefined, PATIENCE)
    const prices = priceLimitsOf(config)
    const nodes = { rpc, witnesses, program: config.PROGRAM_ID }
    await work({ ...nodes, database, clock: systemClock, prices, out, report, onInterrupt })
  } finally {
    await database.close()
  }
}
