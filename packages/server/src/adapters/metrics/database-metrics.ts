import { parseWhole } from '@sotto/protocol'
import { Gauge, type Registry } from 'prom-client'
import { RecentAnswer } from '../../running/recent-answer.ts'
import type { Database } from '../store/sql.ts'
import type { Clock } from '../../ports/clock.ts'

/**
 * All scrapes of a process within five seconds share one read of the database. A scrape waits at most five seconds for
 * this read. Prometheus discards a scrape that takes ten seconds, and a discarded scrape couldn't report an outage of
 * the database.
 */
const LIMITS = { keptMs: 5_000, waitMs: 5_000, shownMs: 5_000 }
/**
 * A row of the outbox counts as late if it has been due for this long. A running worker finds a due row within about a
 * second.
 */
const LATE_MS = 60_000
/**
 * The number of leaves is rounded down to a multiple of this number. Operators need it only to see when the tree is
 * nearly full. The exact number is on chain.
 */
const LEAVES = 1_000

interface Row {
  readonly halted: string | null
  readonly updated_at: Date | null
  /** Null if no worker has ever followed the chain. */
  readonly chain_seconds: string | null
  /** Null if no worker has ever followed the chain. */
  readonly leaves: string | null
  readonly is_liquid: boolean | null
  readonly liquid_at: Date | null
  readonly books_agree: boolean | null
  readonly books_at: Date | null
  readonly has_paid_payees: boolean
}

/** The state that all processes on a database share. */
interface State {
  readonly row: Row | undefined
  readonly late: number
  readonly isReadOnly: boolean
}

async function readState(database: Database, nowMs: number): Promise<State> {
  const [row] = await database.query<Row>(
    `SELECT halted, updated_at, CASE WHEN slot > 0 THEN unix_seconds::text END AS chain_seconds, next_leaf::text AS leaves, is_liquid, liquid_at, books_agree, books_at, has_paid_payees
     FROM health LEFT JOIN chain_cursor ON true`,
    [],
  )
  const [rest] = await database.query<{ readonly late: number; readonly is_read_only: boolean }>(
    `SELECT COUNT(*)::integer AS late, current_setting('transaction_read_only') = 'on' AS is_read_only
     FROM outbox WHERE due_at < $1`,
    [new Date(nowMs - LATE_MS)],
  )
  return { row, late: rest?.late ?? 0, isReadOnly: rest?.is_read_only ?? false }
}

const thousandsOf = (digits: string) => Math.floor(parseWhole(digits) / LEAVES) * LEAVES
const seconds = (date: Date | null | undefined) => date && date.getTime() / 1_000
const flag = (value: boolean | null | undefined) =>
  typeof value === 'boolean' ? (value ? 1 : 0) : undefined

/** Returns a function that registers a gauge of the state. A gauge with an unknown value is omitted. */
function gaugesOf(registry: Registry, state: RecentAnswer<State>) {
  return (name: string, help: string, valueOf: (state: State) => number | null | undefined) => {
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        const read = await state.read()
        const value = read === undefined ? undefined : valueOf(read)
        if (typeof value === 'number') this.set(value)
        else this.remove()
      },
    })
  }
}

/**
 * Registers gauges of the workers' reports. Each scrape reads the reports from the database, so the gauges are shown
 * even if no worker is running.
 */
export function databaseMetrics(registry: Registry, database: Database, clock: Clock): void {
  const state = new RecentAnswer(() => readState(database, clock.nowMs()), clock, LIMITS)
  const gauge = gaugesOf(registry, state)
  new Gauge({
    name: 'sotto_database_up',
    help: '0 if the database does not answer this process within five seconds, or is read-only for it.',
    registers: [registry],
    async collect() {
      const read = await state.read()
      this.set(read === undefined || read.isReadOnly ? 0 : 1)
    },
  })
  gauge(
    'sotto_orders_halted',
    '1 while new orders are halted. An operator must resume them.',
    ({ row }) => (row === undefined || row.halted === null ? 0 : 1),
  )
  gauge(
    'sotto_followed_timestamp_seconds',
    'When a worker last recorded the newest finalized state of the chain.',
    ({ row }) => seconds(row?.updated_at),
  )
  gauge(
    'sotto_followed_chain_timestamp_seconds',
    "The chain's time at the slot up to which the workers have followed the chain.",
    ({ row }) =>
      typeof row?.chain_seconds === 'string' ? parseWhole(row.chain_seconds) : undefined,
  )
  gauge(
    'sotto_tree_leaves',
    'Leaves in the tree, rounded down to whole thousands. A full tree has 67 million leaves.',
    ({ row }) => (typeof row?.leaves === 'string' ? thousandsOf(row.leaves) : undefined),
  )
  gauge('sotto_books_agree', '0 if vaults, books, root and order table differ.', ({ row }) =>
    flag(row?.books_agree),
  )
  gauge(
    'sotto_books_timestamp_seconds',
    'When vaults, books, root and order table were last compared.',
    ({ row }) => seconds(row?.books_at),
  )
  gauge(
    'sotto_paid_payees_complete',
    '0 while payees of earlier settlements are missing. All quotes then treat their recipients as paid before.',
    ({ row }) => flag(row?.has_paid_payees),
  )
  gauge('sotto_relayers_timestamp_seconds', 'When a worker last checked its relayers.', ({ row }) =>
    seconds(row?.liquid_at),
  )
  gauge(
    'sotto_outbox_late',
    'Status changes that should have been sent to webhooks more than a minute ago.',
    ({ late }) => late,
  )
  connectionMetrics(registry, database, async () => state.read())
}

function connectionMetrics(
  registry: Registry,
  { connections }: Database,
  othersDone: () => Promise<unknown>,
): void {
  new Gauge({
    name: 'sotto_database_connections',
    help: 'Connections of this process, busy and idle, and requests that wait for a connection.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      // The scrape's own read must end first. Otherwise it would be counted among the busy or waiting connections.
      await othersDone()
      for (const [state, value] of Object.entries(connections?.() ?? {})) this.set({ state }, value)
    },
  })
}
