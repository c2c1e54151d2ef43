import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import { systemClock } from '../adapters/clock/system-clock.ts'
import { serveMetrics } from '../adapters/metrics/serve-metrics.ts'
import { systemRandom } from '../adapters/random/system-random.ts'
import type { Runway } from '../ports/inventory-store.ts'
import type { MaybePromise } from '../ports/maybe-promise.ts'
import type { SettlementReport } from '../ports/settlement-gauges.ts'
import { closable, closeHttp } from './close-http.ts'
import { composeConsole, type ConsoleParts } from './compose-console.ts'
import { openOperatorToken } from './open-keys.ts'
import { portFailure } from './port-failure.ts'

type Given = Pick<
  ConsoleParts,
  'config' | 'roles' | 'database' | 'rpc' | 'mints' | 'log' | 'troubles'
>

interface OperatorParts extends Given {
  readonly registry: Registry
  readonly isReady: () => boolean
  readonly alerts: () => ReadonlyMap<string, number>
  readonly settlement: () => SettlementReport | undefined
  readonly readRunways: () => MaybePromise<readonly Runway[]>
}

interface Steps {
  readonly add: (step: () => Promise<unknown>) => void
}

/**
 * Serves metrics, status and console for operators, on a separate port. Returns the console's URL. Returns undefined if
 * no port is configured, or if the console was not built.
 */
export async function serveOperator(
  parts: OperatorParts,
  shutdown: Steps,
): Promise<string | undefined> {
  const { config, registry, isReady, alerts, settlement, readRunways } = parts
  if (config.METRICS_PORT === undefined) return undefined
  const token = await openOperatorToken(config, systemRandom, systemClock)
  const console = composeConsole({ ...parts, token, clock: systemClock, random: systemRandom })
  const status = { settlement, alerts, readRunways }
  const source = { registry, isReady, operatorToken: token, ...status, console }
  const port = config.METRICS_PORT
  const server: Server = await serveMetrics(source, config.HOST, port).catch((error: unknown) => {
    throw portFailure(error, 'SOTTO_METRICS_PORT', port)
  })
  shutdown.add(() => closeHttp(closable(server), systemClock))
  if (console === undefined) return undefined
  const { port: opened } = server.address() as AddressInfo
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST
  return `http://${host}:${opened}/console`
}
