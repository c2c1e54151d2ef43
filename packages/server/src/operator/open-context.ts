import { systemClock } from '../adapters/clock/system-clock.ts'
import type { Config } from '../config.ts'
import type { OperatorContext } from './context.ts'
import { openNodes } from '../start/open-rpc.ts'
import { priceLimitsOf } from '../start/price-limits-of.ts'
import { openServiceDatabase } from '../start/open-service-database.ts'

/** Opens the configuration and the database, and closes the database even if `work` fails. */
export async function withOpenedContext(
  readConfig: () => Config,
  out: OperatorContext['out'],
  work: (context: OperatorContext) => Promise<void>,
): Promise<void> {
  const config = readConfig()
  const database = await openServiceDatabase(config)
  try {
    const { rpc, witnesses } = openNodes(config)
    const prices = priceLimitsOf(config)
    const nodes = { rpc, witnesses, program: config.PROGRAM_ID }
    await work({ ...nodes, database, clock: systemClock, prices, out })
  } finally {
    await database.close()
  }
}
