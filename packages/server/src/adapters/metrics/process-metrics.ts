import { totalmem } from 'node:os'
import { performance } from 'node:perf_hooks'
import { Counter, Gauge, type Registry } from 'prom-client'
import { memoryAllowed } from './memory-allowed.ts'

const MICROSECONDS = 1_000_000
const MILLISECONDS = 1_000

/** The description of this process, which `sotto_build_info` shows. */
export interface Build {
  readonly version: string
  readonly cluster: string
  readonly profile: string
  readonly roles: string
  /** The sources of rates, separated by commas. */
  readonly prices: string
  /** The screeners, separated by commas. */
  readonly screeners: string
}

/**
 * Registers the description and the resource use of this process. The resource use is read only when Prometheus scrapes
 * it. `provers` is the number of prover processes that this process starts.
 */
export function processMetrics(registry: Registry, build: Build, provers: number): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      collect() {
        this.set(read())
      },
    })
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      ...{ name, help, registers: [registry] },
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  new Gauge({
    name: 'sotto_build_info',
    help: 'Always 1; its labels describe the running service.',
    labelNames: ['version', 'node', 'cluster', 'profile', 'roles', 'prices', 'screeners'],
    registers: [registry],
  }).set({ ...build, node: process.versions.node }, 1)
  const startedSeconds = Math.round(performance.timeOrigin / MILLISECONDS)
  gauge('process_start_time_seconds', 'When the process started.', () => startedSeconds)
  counter('process_cpu_seconds_total', 'Processor time that the process has used.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / MICROSECONDS
  })
  gauge('process_resident_memory_bytes', 'Memory that the process uses, without its provers.', () =>
    process.memoryUsage.rss(),
  )
  gauge(
    'sotto_memory_allowed_bytes',
    'Memory that the process may use: the limit of its container, or the memory of its machine, minus 200 MB for each of its provers.',
    () => memoryAllowed({ container: process.constrainedMemory(), machine: totalmem(), provers }),
  )
  counter(
    'sotto_event_loop_busy_seconds_total',
    'Time in which the event loop was busy. If it grows by nearly one second per second, requests wait.',
    () => performance.eventLoopUtilization().active / MILLISECONDS,
  )
}
