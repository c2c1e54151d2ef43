import { join } from 'node:path'
import { startPostgres } from '../../packages/server/tests/start-postgres.ts'
import { BRISK, SLOT_MS } from '../stage/brisk-settings.ts'
import { freePort } from '../stage/free-port.ts'
import { openGround, undoAll, type Ground, type Undo } from '../stage/open-ground.ts'
import { startBalancer, type Balancer } from './balancer.ts'
import { Replica } from './replica.ts'

/**
 * The deployment of docs/deployment/replicas.md as separate processes: two APIs, two workers, one database and a
 * balancer.
 */
export interface Cluster {
  readonly ground: Ground
  readonly balancer: Balancer
  readonly apis: readonly Replica[]
  readonly workers: readonly Replica[]
  readonly close: () => Promise<void>
}

export interface ClusterOptions {
  /** The folder for this run's keys and logs. */
  readonly folder: string
  /** Starts an empty database. The default is an embedded PostgreSQL. */
  readonly openDatabase?: (undo: Undo) => Promise<string>
  readonly slotMs?: number
  /** Additional settings of the service. They override the settings in this file. */
  readonly settings?: Readonly<Record<`SOTTO_${string}`, string>>
}

const SETTINGS = {
  ...BRISK,
  // The balancer of the drills checks the service's health five times within this drain.
  SOTTO_DRAIN_SECONDS: '1',
  SOTTO_TRUSTED_PROXIES: '127.0.0.1',
  SOTTO_RATE_PER_SECOND: '1000',
  SOTTO_RATE_BURST: '1000',
} as const

async function openEmbedded(undo: Undo): Promise<string> {
  const postgres = await startPostgres()
  undo.push(postgres.stop)
  return postgres.createDatabase()
}

async function start(options: ClusterOptions, undo: Undo): Promise<Omit<Cluster, 'close'>> {
  const { folder, openDatabase = openEmbedded, slotMs = SLOT_MS } = options
  const ground = await openGround({ folder, openDatabase, slotMs }, undo)
  const replica = (name: string, role: 'api' | 'worker', more: Record<string, string> = {}) => {
    const env = { ...ground.env, ...SETTINGS, ...options.settings, ...more }
    const one = new Replica(name, { role, env, logFile: join(folder, `${name}.log`) })
    undo.push(() => one.stop())
    return one
  }
  const ports = [await freePort(), await freePort()]
  const apis = ports.map((port, index) =>
    replica(`api-${index + 1}`, 'api', { SOTTO_PORT: String(port) }),
  )
  const workers = [replica('worker-1', 'worker'), replica('worker-2', 'worker')]
  await Promise.all([...apis, ...workers].map((one) => one.start()))
  const backends = apis.map(({ name }, index) => ({
    ...{ name, url: `http://127.0.0.1:${ports[index]}` },
  }))
  const balancer = await startBalancer(backends)
  undo.push(balancer.stop)
  return { ground, balancer, apis, workers }
}

/** Starts everything. If a process fails to start, stops all other processes. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const undo: Undo = []
  try {
    return { ...(await start(options, undo)), close: () => undoAll(undo) }
  } catch (error) {
    await undoAll(undo)
    throw error
  }
}
