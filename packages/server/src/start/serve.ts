import type { AddressInfo } from 'node:net'
import { atEndOfTurn } from '../adapters/clock/end-of-turn.ts'
import { Recipients } from '../adapters/chain/recipients/recipients.ts'
import { systemClock } from '../adapters/clock/system-clock.ts'
import { withTroubles } from '../adapters/log/recent-troubles.ts'
import { databaseMetrics } from '../adapters/metrics/database-metrics.ts'
import { epochMetrics } from '../adapters/metrics/epoch-metrics.ts'
import { inventoryMetrics } from '../adapters/metrics/inventory-metrics.ts'
import { marketMetrics } from '../adapters/metrics/market-metrics.ts'
import { ChangeHub } from '../adapters/changes/change-hub.ts'
import { systemRandom } from '../adapters/random/system-random.ts'
import { hintWorkers, listenForHints } from '../adapters/store/deposit-hints.ts'
import type { Config, Role } from '../config.ts'
import type { WorkHint } from '../domain/work-hint.ts'
import { createServer } from '../http/create-server.ts'
import { Draining } from '../http/draining.ts'
import type { KeptSecrets } from '../ports/secrets.ts'
import type { ServiceLog } from '../ports/service-log.ts'
import { assertCluster } from './assert-cluster.ts'
import { assertDurable } from './assert-durable.ts'
import { assertPepper } from './assert-pepper.ts'
import { assertRoles } from './assert-roles.ts'
import { closeHttp, drain } from './close-http.ts'
import { composeApi } from './compose-api.ts'
import { composeSendPage } from './compose-pages.ts'
import { openSecrets } from './open-keys.ts'
import { factsOf, openObservation, type Observation } from './open-observation.ts'
import { openNodes, type OpenedRpc } from './open-rpc.ts'
import { openServiceDatabase } from './open-service-database.ts'
import { runForgetting } from './run-forgetting.ts'
import { runMarket } from './run-market.ts'
import { poolMintsOf } from './pool-mints-of.ts'
import { portFailure } from './port-failure.ts'
import { runRecipients } from './run-recipients.ts'
import { runTariffs } from './run-tariffs.ts'
import { openRunways } from './open-runways.ts'
import { serveOperator } from './serve-operator.ts'
import { listenForChanges, startStatusNotifier } from './start-status-notifier.ts'
import { startWorker } from './start-worker.ts'

export interface RunningService {
  /** The URL of the API; undefined if the API isn't one of this process's roles. */
  readonly baseUrl: string | undefined
  /** The URL of the console; undefined if no port for operators is set, or if the console was not built. */
  readonly consoleUrl?: string | undefined
  /** Stops accepting connections, answers open requests, stops the workers, then closes the database. */
  readonly stop: () => Promise<void>
}

/** The steps that undo a start. They run in reverse order. If one step fails, the other steps still run. */
class Shutdown {
  readonly #steps: (() => Promise<unknown>)[] = []
  #done: Promise<void> | undefined

  add(step: () => Promise<unknown>): void {
    this.#steps.push(step)
  }

  run(): Promise<void> {
    this.#done ??= this.#runAll()
    return this.#done
  }

  async #runAll(): Promise<void> {
    const errors: unknown[] = []
    for (const step of this.#steps.reverse()) {
      await step().catch((error: unknown) => errors.push(error))
    }
    if (errors.length > 0) throw errors[0]
  }
}

/** Starts the service in the given roles. @throws OperatorError, FolderInUseError and similar errors. */
export async function serve(config: Config, roles: readonly Role[]): Promise<RunningService> {
  assertRoles(config, roles)
  const observation = await openObservation(config, roles)
  const { registry, alerts, gauges, meters, tracing } = observation
  const { log, troubles } = withTroubles(observation.log, systemClock)
  const shutdown = new Shutdown()
  if (tracing !== undefined) shutdown.add(tracing.stop)
  try {
    const nodes = openNodes(config, nodeReports(log), observation.rpcObserver)
    const { rpc, witnesses, recipientRpc, paceOf } = nodes
    await assertCluster(rpc, config, nodes)
    const database = await openServiceDatabase(config)
    shutdown.add(() => database.close())
    await assertDurable(database, config)
    const secrets = openSecrets(config, systemRandom, systemClock)
    await assertPepper(database, secrets)
    const readRunways = openRunways(config, database, rpc)
    const mints = poolMintsOf({ rpc, program: config.PROGRAM_ID, database, clock: systemClock })
    const observed = { registry, alerts, settlement: gauges.latest, troubles, readRunways, mints }
    const consoleUrl = await serveOperator(
      { ...observed, isReady: readinessOf(roles, gauges), config, roles, database, rpc, log },
      shutdown,
    )
    const parts = {
      ...{ config, database, log, rpc, witnesses, paceOf, mints, gauges, meters, tracing },
      recipients: new Recipients({
        ...{ rpc, witnesses, recipientRpc, mints, program: config.PROGRAM_ID },
        ...{ clock: systemClock, random: systemRandom },
      }),
      secrets,
      clock: systemClock,
      random: systemRandom,
    }
    forgetDestroyed(parts, shutdown)
    keepRecipients(parts, shutdown)
    databaseMetrics(registry, database, systemClock)
    inventoryMetrics(registry, readRunways)
    const failed = (error: unknown) => log.failed('deposit-hints', error)
    let wake: (hint: WorkHint) => void = () => undefined
    const changes = new ChangeHub()
    const api = roles.includes('api')
      ? await composeApi({ ...parts, changes, wake: (hint) => wake(hint) })
      : undefined
    if (api !== undefined) marketMetrics(registry, () => api.market.latest, systemClock)
    if (roles.includes('api')) listenForChanges(config, changes, log, shutdown)
    if (roles.includes('worker')) {
      epochMetrics(registry, parts.secrets, systemClock)
      const notify = startStatusNotifier(parts, changes, shutdown)
      const settlement = await startWorker({ ...parts, notify })
      shutdown.add(() => settlement.stop())
      wake = settlement.wake
      if (config.DATABASE_URL !== undefined) {
        const d = { clock: systemClock, failed }
        const hints = listenForHints(config.DATABASE_URL, settlement.wake, d)
        shutdown.add(() => hints.close())
      }
    } else wake = hintWorkers(database, failed)
    const baseUrl = api === undefined ? undefined : await listen(parts, api, shutdown)
    log.event('started', { ...factsOf(config), roles: roles.join(',') })
    return { baseUrl, consoleUrl, stop: () => shutdown.run().then(() => log.event('stopped')) }
  } catch (error) {
    await shutdown.run().catch((failure: unknown) => log.failed('shutdown', failure))
    throw error
  }
}

/**
 * Logs when a node fails, when it answers again, and when it turns out to belong to another cluster. Nodes are logged
 * by their index in the list, because a URL may contain a key.
 */
const nodeReports = (log: Pick<ServiceLog, 'event'>) => ({
  changed: (node: number, isUp: boolean) =>
    log.event(isUp ? 'rpc_node_up' : 'rpc_node_down', { node }),
  foreign: (node: number) => log.event('rpc_node_foreign', { node }),
})

/**
 * Returns a function that returns true once the process does its work. A worker is ready after its first report, which
 * shows that the worker has followed the chain. A rolling update waits until a new worker is ready before it stops the
 * next old worker.
 */
const readinessOf =
  (roles: readonly Role[], { latest }: Observation['gauges']) =>
  (): boolean =>
    !roles.includes('worker') || latest() !== undefined

/** Zeroes destroyed keys in every role, because each process keeps the keys that it uses in memory. */
function forgetDestroyed(
  {
    config,
    secrets,
    log,
  }: { readonly config: Config; readonly secrets: KeptSecrets; readonly log: ServiceLog },
  shutdown: Shutdown,
): void {
  const stopping = new AbortController()
  const everyMs = config.KEY_CHECK_SECONDS * 1_000
  const running = runForgetting(secrets, { clock: systemClock, log, everyMs }, stopping.signal)
  shutdown.add(() => {
    stopping.abort()
    return running
  })
}

/**
 * Keeps recipients up to date in every role. The API reads a recipient's accounts for a quote, and a worker reads them
 * for a delivery.
 */
function keepRecipients(
  { recipients, log }: { readonly recipients: Recipients; readonly log: ServiceLog },
  shutdown: Shutdown,
): void {
  const stopping = new AbortController()
  const running = runRecipients(recipients, { clock: systemClock, log }, stopping.signal)
  shutdown.add(() => {
    stopping.abort()
    return running
  })
}

/**
 * Default time, in seconds, for which a stopping process still responds after `/readyz` reports that it isn't ready.
 * Other profiles than `production` don't wait, because they have no load balancer that watches `/readyz`.
 */
const PRODUCTION_DRAIN_SECONDS = 10

function drainMs({ DRAIN_SECONDS, PROFILE }: Config): number {
  return (DRAIN_SECONDS ?? (PROFILE === 'production' ? PRODUCTION_DRAIN_SECONDS : 0)) * 1_000
}

function securityTextOf({ SECURITY_CONTACT: contacts, SECURITY_EXPIRES: expiresMs }: Config) {
  return contacts === undefined || expiresMs === undefined ? undefined : { contacts, expiresMs }
}

type Api = Awaited<ReturnType<typeof composeApi>>

interface ListenParts extends Pick<Observation, 'log' | 'tracing'>, Pick<OpenedRpc, 'paceOf'> {
  readonly config: Config
}

async function listen(
  { config, log, tracing, paceOf }: ListenParts,
  { useCases, market, tariffs }: Api,
  shutdown: Shutdown,
): Promise<string> {
  const stopping = new AbortController()
  const running = [
    runMarket(market, { clock: systemClock, log }, stopping.signal),
    runTariffs({ ...tariffs, log }, stopping.signal),
  ]
  shutdown.add(async () => {
    stopping.abort()
    await Promise.all(running)
  })
  const draining = new Draining()
  const server = createServer({
    draining,
    ...{ useCases, log, sendPage: await composeSendPage(config, useCases, paceOf) },
    clock: systemClock,
    random: systemRandom,
    rateLimit: { perSecond: config.RATE_PER_SECOND, burst: config.RATE_BURST },
    trustedProxies: config.TRUSTED_PROXIES ?? [],
    securityText: securityTextOf(config),
    atEndOfTurn,
  })
  tracing?.requests(server)
  shutdown.add(() => closeHttp(server, systemClock))
  try {
    await server.listen({ host: config.HOST, port: config.PORT })
  } catch (error) {
    throw portFailure(error, 'SOTTO_PORT', config.PORT)
  }
  shutdown.add(() => drain(draining, systemClock, drainMs(config)))
  const { port } = server.server.address() as AddressInfo
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST
  return `http://${host}:${port}`
}
