import { setTimeout as sleep } from 'node:timers/promises'
import { Leases } from './leases.ts'
import type { Load } from './load.ts'
import type { Cluster } from './open-cluster.ts'
import type { Replica } from './replica.ts'

/** One change to the deployment, and its duration. */
export interface Step {
  readonly drill: string
  readonly what: string
  readonly stopMs: number | undefined
  readonly startMs: number | undefined
}

const PATIENCE_MS = 170_000
const POLL_MS = 50

/** Waits until a condition is true. @throws Error that names the condition if it never becomes true. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<number> {
  const startedMs = performance.now()
  while (!(await isSo())) {
    if (performance.now() - startedMs > PATIENCE_MS)
      throw new Error(`waited too long for this: ${what}`)
    await sleep(POLL_MS)
  }
  return performance.now() - startedMs
}

/** The context of every drill. */
export class Drills {
  readonly steps: Step[] = []
  readonly cluster: Cluster
  readonly load: Load
  readonly leases: Leases
  /** Number of orders that each step starts. */
  readonly share: number
  readonly #say: (text: string) => void

  constructor(cluster: Cluster, load: Load, share: number, say: (text: string) => void) {
    this.cluster = cluster
    this.load = load
    this.share = share
    this.leases = new Leases(cluster.ground.databaseUrl)
    this.#say = say
  }

  did(step: Step): void {
    this.steps.push(step)
    const times = [step.stopMs, step.startMs].map((ms) => (ms === undefined ? '-' : seconds(ms)))
    this.#say(`${step.drill}: ${step.what} (stopped in ${times[0]}, serving in ${times[1]})`)
  }

  /**
   * Starts new orders, stops a process as a supervisor does, and starts a program in its place. It is a violation if
   * the stopped process leaves unfinished work.
   */
  async replace(drill: string, what: string, replica: Replica, program?: string): Promise<void> {
    const { cluster, load, leases } = this
    load.begin(this.share)
    const isApi = cluster.apis.includes(replica)
    // Waits until every API is ready, as a usual deployment does. Then at least one other API serves while this one is
    // stopped.
    for (const api of cluster.apis) {
      await until(`${api.name} is ready`, () => cluster.balancer.isUp(api.name))
    }
    const { pid } = replica
    const { ms: stopMs, exit } = await replica.stop()
    if (exit !== 0) load.wrong.push(`${replica.name} ended with ${exit} when it was asked to stop`)
    const kept = await leases.heldBy(pid)
    if (kept.length > 0) load.wrong.push(`${replica.name} kept ${kept.length} leases when it ended`)
    const startMs = await this.start(replica, isApi, program)
    this.did({ drill, what: `${what} ${replica.name}`, stopMs, startMs })
  }

  /** Starts a program in a replica's place. Returns the milliseconds until the program serves. */
  async start(replica: Replica, isApi: boolean, program?: string): Promise<number> {
    const startedMs = performance.now()
    await replica.start(program)
    const { balancer } = this.cluster
    if (isApi) await until(`${replica.name} is ready`, () => balancer.isUp(replica.name))
    return performance.now() - startedMs
  }
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
