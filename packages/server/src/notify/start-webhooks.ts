import { setMaxListeners } from 'node:events'
import { runLoop } from '../running/loop.ts'
import { WorkPool } from '../running/work-pool.ts'
import { deliverDue } from './deliver-webhooks.ts'
import { EndpointCircuits } from './endpoint-circuits.ts'
import { Hourly } from './hourly.ts'
import type { NotifyDependencies } from './notify-dependencies.ts'

/** Interval at which due events are polled. Events that this process writes are polled immediately. */
const POLL_MS = 1_000
/**
 * Maximum number of concurrent polls, each for several events. Most polls only wait until their fixed duration ends,
 * and a waiting poll uses only memory.
 */
const CONCURRENCY = 64

export interface RunningWebhooks {
  /** Polls the due events now. */
  readonly wake: () => void
  /** Resolves once all open messages have been answered or have timed out, and the results are written. */
  readonly stop: () => Promise<void>
}

/** Notifies endpoints until stopped. Any number of processes may notify at the same time. */
export function startWebhooks(
  given: Omit<NotifyDependencies, 'circuits' | 'hourly'>,
): RunningWebhooks {
  const hourly = new Hourly(given.clock.nowMs())
  const d = { ...given, circuits: new EndpointCircuits(), hourly }
  const stopping = new AbortController()
  // The signal has many listeners: one for each waiting poll, and one for the loop.
  setMaxListeners(CONCURRENCY + 1, stopping.signal)
  const workPool = new WorkPool(CONCURRENCY)
  const { clock, log } = d
  const options = { everyMs: POLL_MS, clock, log, signal: stopping.signal }
  const loop = runLoop({ name: 'webhooks', ...options }, async () => {
    while (!stopping.signal.aborted && (await deliverDue(d, workPool, stopping.signal)) > 0);
  })
  return {
    wake: loop.wake,
    stop: async () => {
      stopping.abort()
      await loop.done
      await workPool.idle()
    },
  }
}
