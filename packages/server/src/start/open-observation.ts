import type { Registry } from 'prom-client'
import { systemClock } from '../adapters/clock/system-clock.ts'
import { gatheredLines } from '../adapters/fast/gathered-lines.ts'
import { pinoLog } from '../adapters/log/pino-log.ts'
import { openMeters, type Meters } from '../adapters/metrics/meters.ts'
import { processMetrics } from '../adapters/metrics/process-metrics.ts'
import { withMetrics } from '../adapters/metrics/prom-metrics.ts'
import { rpcMetrics } from '../adapters/metrics/rpc-metrics.ts'
import { openTracing, type RunningTracing } from '../adapters/tracing/open-tracing.ts'
import { settlementGauges } from '../adapters/metrics/settlement-gauges.ts'
import type { RpcObserver } from '../adapters/rpc/rpc-observer.ts'
import type { Config, Role } from '../config.ts'
import { releaseVersion } from './release-version.ts'

/** The observability of a process: log, metrics and tracing. */
export interface Observation {
  readonly log: ReturnType<typeof pinoLog>
  readonly registry: Registry
  /** Returns the number of alerts since the start, by code. */
  readonly alerts: () => ReadonlyMap<string, number>
  readonly gauges: ReturnType<typeof settlementGauges>
  readonly meters: Meters
  readonly rpcObserver: RpcObserver
  /** Undefined if tracing is off. */
  readonly tracing: RunningTracing | undefined
}

/** The settings that the log and the metrics show, so that operators notice replicas whose settings differ. */
export function factsOf({ CLUSTER: cluster, PRICES, SCREENER }: Config) {
  const listed = (words: readonly string[]) => words.toSorted().join(',')
  return { cluster, prices: listed(PRICES), screeners: listed(SCREENER) }
}

/** Opens the log on standard error and the metrics. Opens tracing if it is configured. */
export async function openObservation(
  config: Config,
  roles: readonly Role[],
): Promise<Observation> {
  const lines = gatheredLines(process.stderr, (flush) => process.once('exit', flush))
  const { log, registry, alerts } = withMetrics(pinoLog(config.LOG_LEVEL, lines))
  const build = { version: releaseVersion(), roles: roles.join(',') }
  const provers = roles.includes('worker') ? config.PROVER_PROCESSES : 0
  processMetrics(registry, { ...build, ...factsOf(config), profile: config.PROFILE }, provers)
  const { TRACING_URL: url, TRACING_AUTHORIZATION: authorization } = config
  const failed = (error: unknown) => log.failed('tracing', error)
  const tracing =
    url === undefined
      ? undefined
      : await openTracing({
          ...{ url, authorization, failed, ...build },
          percent: config.TRACING_PERCENT,
        })
  return {
    ...{ log, registry, alerts },
    gauges: settlementGauges(registry),
    meters: openMeters(registry, systemClock),
    rpcObserver: tracedRpc(rpcMetrics(registry, systemClock), tracing),
    tracing,
  }
}

const tracedRpc = (observer: RpcObserver, tracing: RunningTracing | undefined): RpcObserver =>
  tracing === undefined
    ? observer
    : {
        ...observer,
        around: (method, ask) => tracing.within('rpc', method, () => observer.around(method, ask)),
      }
