import type { Setup } from '../../demo/src/stack/set-up.ts'
import { launchService } from '../ground/launch-each.ts'
import { openGround, type Engine, type Ground } from '../ground/open-ground.ts'

/**
 * The product as an operator runs it, on an embedded chain. Its rate limits are so high that no benchmark reaches them.
 */
export interface Stage {
  readonly baseUrl: string
  readonly pid: number
  readonly setup: Setup
  /** The database for the baseline's rows: the URL of a PostgreSQL database, or the folder of an embedded database. */
  readonly bareDatabase: string
  readonly close: () => Promise<void>
}

/** Quotes are valid for a long time, because a round's quotes are made before the round begins. */
const LONG_QUOTES = { SOTTO_QUOTE_SECONDS: '600' }
/**
 * An embedded database allows only one process, so the API's process also runs the worker. The worker has nothing to
 * settle. It polls the chain rarely, so that the polls don't disturb the measurement.
 */
const QUIET_WORKER = { SOTTO_POLL_MS: '10000', SOTTO_UPKEEP_SECONDS: '600' }

function launchProduct(ground: Ground, folder: string, engine: Engine) {
  if (engine === 'PostgreSQL') return launchService(ground, folder, engine, 'api', LONG_QUOTES)
  return launchService(ground, folder, engine, 'api,worker', { ...LONG_QUOTES, ...QUIET_WORKER })
}

/** Starts chain, database and product. No other run may use `folder`. */
export async function openStage(engine: Engine, folder: string): Promise<Stage> {
  const ground = await openGround(folder, [engine])
  try {
    const bareDatabase = await ground.emptyDatabase(engine)
    const { ready, pid, stop } = await launchProduct(ground, folder, engine)
    const close = async () => {
      try {
        await stop()
      } finally {
        await ground.close()
      }
    }
    return { baseUrl: ready.baseUrl, pid, setup: ground.setup, bareDatabase, close }
  } catch (error) {
    await ground.close()
    throw error
  }
}
