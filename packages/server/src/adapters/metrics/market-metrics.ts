import { Gauge, type Registry } from 'prom-client'
import { isSnapshotOld } from '../../domain/snapshot-age.ts'
import type { Clock } from '../../ports/clock.ts'

/** The snapshot of chain and database that an API process read last. */
interface MarketSnapshot {
  readonly takenAtMs: number
  readonly isPaused: boolean
  readonly isLiquid: boolean
  /** Undefined while the workers keep up with the chain. */
  readonly followFault: string | undefined
}

/** Registers whether this process accepts new orders, and the time of the snapshot that it uses for quotes. */
export function marketMetrics(
  registry: Registry,
  latest: () => MarketSnapshot | undefined,
  clock: Clock,
): void {
  const gauge = (name: string, help: string, valueOf: (snapshot: MarketSnapshot) => number) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      collect() {
        const snapshot = latest()
        this.set(snapshot === undefined ? 0 : valueOf(snapshot))
      },
    })
  gauge(
    'sotto_new_orders_open',
    '0 while new orders are refused: the pool is paused, lacks the authoriser key of this process or allows too little time for deposits, orders are halted, relayers have low balances, workers do not follow the chain, the nodes show an old chain, or this process has not been able to read chain and database for 30 seconds.',
    ({ isPaused, isLiquid, followFault, takenAtMs }) =>
      isPaused || !isLiquid || followFault !== undefined || isSnapshotOld(takenAtMs, clock.nowMs())
        ? 0
        : 1,
  )
  gauge(
    'sotto_market_timestamp_seconds',
    'When this process last read the pool and the database for its quotes.',
    ({ takenAtMs }) => takenAtMs / 1_000,
  )
}
