import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../ports/clock.ts'
import type { RpcObserver } from '../rpc/rpc-observer.ts'
import { durations } from './durations.ts'

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/** Counts the answers of nodes. A node is identified by its index in the list, because its URL may contain a key. */
export function rpcMetrics(registry: Registry, clock: Clock): RpcObserver {
  const seconds = durations(
    {
      name: 'sotto_rpc_seconds',
      help: 'Time until a request to the nodes was answered, including further tries, by its JSON-RPC method.',
      labelNames: ['method'],
      ends: SECONDS,
    },
    registry,
  )
  const tries = new Counter({
    name: 'sotto_rpc_tries_total',
    help: 'Single requests to a node. Node 0 is SOTTO_RPC_URL. The outcome is answered, lacking (the node is unhealthy, lags, has an internal error or refuses to list accounts) or failed.',
    labelNames: ['node', 'outcome'],
    registers: [registry],
  })
  return {
    around: async (method, ask) => {
      const startMs = clock.nowMs()
      try {
        return await ask()
      } finally {
        seconds(Math.max(0, clock.nowMs() - startMs) / 1_000, { method })
      }
    },
    tried: (place, outcome) => tries.inc({ node: String(place), outcome }),
    watch: (standings) => {
      const gauge = (name: string, help: string, valueOf: (of: Standing) => number | undefined) =>
        new Gauge({
          ...{ name, help, labelNames: ['node'], registers: [registry] },
          collect() {
            this.reset()
            for (const one of standings()) {
              const value = valueOf(one)
              if (value !== undefined) this.set({ node: String(one.place) }, value)
            }
          },
        })
      type Standing = ReturnType<typeof standings>[number]
      for (const { place } of standings()) {
        for (const outcome of ['answered', 'lacking', 'failed']) {
          tries.inc({ node: String(place), outcome }, 0)
        }
      }
      gauge(
        'sotto_rpc_node_up',
        "0 from a node's first failure to its next answer, and while a node belongs to another cluster.",
        ({ isUp }) => (isUp ? 1 : 0),
      )
      gauge(
        'sotto_rpc_node_lag_slots',
        'Number of slots by which a node lags behind the most advanced node; only if there are several nodes, and after they have reported.',
        ({ lagSlots }) => lagSlots,
      )
    },
  }
}
