import { atEndOfTurn } from '../../src/adapters/clock/end-of-turn.ts'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { pinoLog } from '../../src/adapters/log/pino-log.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import type { ChainRpc } from '../../src/adapters/rpc/rpc-client.ts'
import { WORKERS_QUERY } from '../../src/adapters/store/market-store.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { readConfig } from '../../src/config.ts'
import type { WorkHint } from '../../src/domain/work-hint.ts'
import { createServer, type HttpDependencies } from '../../src/http/create-server.ts'
import type { UseCases } from '../../src/http/use-cases.ts'
import { composeApi } from '../../src/start/compose-api.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Secrets } from '../../src/ports/secrets.ts'
import type { StatusChanges } from '../../src/ports/status-changes.ts'
import type { MarketView } from '../../src/usecases/market/market.ts'
import { recipientsOf } from '../settlement/stack/recipients-of.ts'
import { checkAnswers } from './answer-check.ts'

/** The server options that a test may set: rate limits, time limits, deprecations. */
export type ServerOptions = Omit<HttpDependencies, 'useCases' | 'clock' | 'random' | 'log'>

export const PLENTY = { perSecond: 10_000, burst: 10_000 }
export const UNLIMITED: ServerOptions = { rateLimit: PLENTY, failureLimit: PLENTY }

export interface ApiParts {
  readonly database: Database
  readonly rpc: ChainRpc
  readonly secrets: Secrets
  /** Wakes the workers. Does nothing by default. */
  readonly wake?: (hint: WorkHint) => void
  /** Status changes that workers make. */
  readonly changes?: StatusChanges
  /** True if no worker is simulated. Then a test or real workers write the reports that the API reads. */
  readonly isAlone?: boolean
}

/** One API process. Several API processes on the same database are replicas. */
export interface StartedApi {
  readonly baseUrl: string
  readonly market: MarketView
  /** The use cases, which tests can call without HTTP. */
  readonly useCases: UseCases
  /** Returns everything that was logged. */
  readonly logged: () => string
  /** Moves the service's wall clock, not the chain's. */
  readonly advanceMs: (ms: number) => void
  /** Stops the service's wall clock at a time. Without a time, starts the clock again. */
  readonly freezeAt: (ms: number | undefined) => void
  /** Stops the server but leaves the database open. Throws if a response violated the contract. */
  readonly stop: () => Promise<void>
}

/**
 * Simulates a worker that has just followed the chain and has reported no problem. Without a worker, the API would soon
 * refuse orders. If a test has written a report about the relayers, the API gets that report instead.
 */
function withWorker(database: Database, nowMs: () => number): Database {
  return {
    ...database,
    query: async <Row>(text: string, parameters: readonly unknown[], name?: string) => {
      const rows = await database.query<Row>(text, parameters, name)
      if (text !== WORKERS_QUERY) return rows
      const now = new Date(nowMs())
      const report = { is_liquid: true, liquid_at: now }
      return rows.map((row): Row => {
        const reported = (row as Partial<typeof report>).liquid_at ? {} : report
        return { ...row, ...reported, followed_at: now }
      })
    },
  }
}

/** Starts the API as `serve` builds it. The API listens on its own port and uses a wall clock that tests can move. */
export async function startApi(
  parts: ApiParts,
  settings: Record<string, string>,
  options: ServerOptions = UNLIMITED,
  change: (useCases: UseCases) => UseCases = (useCases) => useCases,
): Promise<StartedApi> {
  let offsetMs = 0
  let frozenAtMs: number | undefined
  const nowMs = () => frozenAtMs ?? systemClock.nowMs() + offsetMs
  const clock: Clock = { ...systemClock, nowMs }
  const lines: string[] = []
  const log = pinoLog('info', { write: (line) => void lines.push(line) })
  const config = readConfig(settings)
  const random = systemRandom
  const wake = parts.wake ?? (() => undefined)
  const api = await composeApi({
    ...parts,
    recipients: recipientsOf(parts.rpc, config.PROGRAM_ID),
    database: parts.isAlone === true ? parts.database : withWorker(parts.database, nowMs),
    config,
    clock,
    random,
    log,
    wake,
  })
  const app = createServer({
    atEndOfTurn,
    useCases: change(api.useCases),
    clock,
    random,
    log,
    ...options,
  })
  const wrongAnswers = checkAnswers(app)
  return {
    market: api.market,
    useCases: api.useCases,
    baseUrl: await app.listen({ host: '127.0.0.1', port: 0 }),
    logged: () => lines.join(''),
    advanceMs: (ms) => void (offsetMs += ms),
    freezeAt: (ms) => void (frozenAtMs = ms),
    stop: async () => {
      const closing = app.close()
      // The test closes the connections, because a keep-alive connection would delay the shutdown by a minute. All
      // tests have received their responses by now.
      app.server.closeAllConnections()
      await closing
      if (wrongAnswers.length > 0) throw new Error(wrongAnswers.join('\n'))
    },
  }
}
