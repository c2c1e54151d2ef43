import { join } from 'node:path'
import { launch, type Launched } from '../http/launch.ts'
import type { Engine, Ground, Settings } from './open-ground.ts'

interface Ready {
  readonly baseUrl: string
}

/** Starts the service on a database, and waits until the service reports that it is ready. */
export async function launchService(
  { settings }: Ground,
  folder: string,
  engine: Engine,
  role: 'api' | 'worker' | 'api,worker',
  further: Settings = {},
): Promise<Launched<Ready>> {
  return launch({
    main: 'packages/server/src/main.ts',
    args: ['serve', '--json', '--role', role],
    env: { ...settings[engine], ...further },
    logFile: join(folder, 'product.log'),
  })
}

/**
 * Starts the minimal service of `bare.ts` as a baseline. It gets a database of the same kind: on the same PostgreSQL
 * server, or in a separate folder.
 */
export async function launchBare(
  { settings }: Ground,
  folder: string,
  engine: Engine,
): Promise<Launched<Ready>> {
  const where = settings[engine]?.['SOTTO_DATABASE_URL'] ?? join(folder, 'bare-data')
  const logFile = join(folder, 'bare.log')
  return launch({ main: 'bench/ground/bare.ts', args: [where], env: {}, logFile })
}
