import { join } from 'node:path'
import { startPostgres } from '../../packages/server/tests/start-postgres.ts'
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts'
import { freePort } from './free-port.ts'
import { openGround, undoAll, type Ground, type GroundOptions, type Undo } from './open-ground.ts'
import { ServiceProcess } from './service-process.ts'

/** The service as in production, with each part as a separate process: one API, workers, PostgreSQL, a node. */
export interface Stage extends Ground {
  /** The proxy between the service and its node. */
  readonly proxy: FaultProxy
  readonly baseUrl: string
  readonly api: ServiceProcess
  readonly workers: readonly ServiceProcess[]
  /** The metrics URLs of the initial workers, by worker. */
  readonly metrics: readonly string[]
  /**
   * Starts one more worker with metrics. With `isDirect`, the worker sends its requests to the node without the proxy.
   * The stage's `close` stops the worker if it still runs.
   */
  readonly addWorker: (isDirect?: boolean) => Promise<ServiceProcess>
  readonly close: () => Promise<void>
}

export interface StageOptions {
  /** The folder for this run's keys and logs. */
  readonly folder: string
  readonly seed: number
  readonly workers: number
  readonly slotMs: number
  /** Starts the chain; by default the embedded chain, with the slot time of this stage. */
  readonly openChain?: NonNullable<GroundOptions['openChain']>
  /** True to let the service use its node without the fault proxy. The proxy takes processor time in this process. */
  readonly isDirect?: boolean
  /** Additional settings of the service. They override the settings in this file. */
  readonly settings?: Readonly<Record<`SOTTO_${string}`, string>>
}

/** The maximum value that the configuration accepts for a limit. */
const NO_LIMIT = '100000'

async function start(options: StageOptions, undo: Undo): Promise<Omit<Stage, 'close'>> {
  const { folder, seed, slotMs } = options
  let proxy: FaultProxy | undefined
  let nodeUrl = ''
  const ground = await openGround(
    {
      ...{ folder, slotMs },
      ...(options.openChain === undefined ? {} : { openChain: options.openChain }),
      openDatabase: async () => {
        const postgres = await startPostgres()
        undo.push(postgres.stop)
        return postgres.createDatabase()
      },
      nodeFor: async (rpcUrl) => {
        nodeUrl = rpcUrl
        proxy = await startFaultProxy(rpcUrl, seed)
        undo.push(proxy.stop)
        return options.isDirect === true ? rpcUrl : proxy.url
      },
    },
    undo,
  )
  if (proxy === undefined) throw new Error('there is no proxy between the service and its node')
  const serving = {
    ...ground.env,
    SOTTO_PORT: String(await freePort()),
    SOTTO_RATE_PER_SECOND: NO_LIMIT,
    SOTTO_RATE_BURST: NO_LIMIT,
    ...options.settings,
  }
  const run = (name: string, role: 'api' | 'worker', more: Record<string, string> = {}) => {
    const env = { ...serving, ...more }
    const process = new ServiceProcess({ role, env, logFile: join(folder, `${name}.log`) })
    undo.push(() => process.stop())
    return process
  }
  const api = run('api', 'api')
  let added = 0
  const newWorker = (more?: Record<string, string>) => {
    added += 1
    return run(`worker-${added}`, 'worker', more)
  }
  const ports = await Promise.all(Array.from({ length: options.workers }, freePort))
  const workers = ports.map((port) => newWorker({ SOTTO_METRICS_PORT: `${port}` }))
  const [{ baseUrl = '' }] = await Promise.all([api.start(), ...workers.map((one) => one.start())])
  return {
    ...ground,
    ...{ proxy, baseUrl, api, workers },
    metrics: ports.map((port) => `http://127.0.0.1:${port}/metrics`),
    addWorker: async (isDirect = false) => {
      const worker = newWorker({
        SOTTO_METRICS_PORT: String(await freePort()),
        ...(isDirect && { SOTTO_RPC_URL: nodeUrl }),
      })
      await worker.start()
      return worker
    },
  }
}

/** Starts everything. If a process fails to start, stops all other processes. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const undo: Undo = []
  try {
    return { ...(await start(options, undo)), close: () => undoAll(undo) }
  } catch (error) {
    await undoAll(undo)
    throw error
  }
}
