/** A panel of the dashboard. `unit` is Grafana's name of the unit. `says` is the panel's description. */
export interface Panel {
  readonly title: string
  readonly says: string
  readonly kind: 'stat' | 'timeseries'
  readonly unit: 's' | 'short' | 'reqps' | 'bytes' | 'percentunit' | 'bool_yes_no' | 'h'
  readonly queries: readonly (readonly [expression: string, legend: string])[]
}

export interface Row {
  readonly title: string
  readonly panels: readonly Panel[]
}

const line = (
  title: string,
  unit: Panel['unit'],
  says: string,
  ...queries: Panel['queries']
): Panel => ({ title, unit, says, kind: 'timeseries', queries })
const now = (
  title: string,
  unit: Panel['unit'],
  says: string,
  ...queries: Panel['queries']
): Panel => ({
  ...{ title, unit, says, kind: 'stat', queries },
})

const quantile = (share: number, metric: string, by: string): string =>
  `histogram_quantile(${share}, sum by (le${by && `, ${by}`}) (rate(${metric}_bucket[5m])))`
const rate = (metric: string, by: string): string => `sum by (${by}) (rate(${metric}[5m]))`

const stuckMoney: readonly Panel[] = [
  now(
    'Oldest order overdue',
    's',
    'How long the oldest waiting order has been overdue, rounded down. 0 is good.',
    ['max(sotto_oldest_order_overdue_seconds)', 'overdue'],
  ),
  now(
    'Takes new orders',
    'bool_yes_no',
    'No means that an API process refuses new orders; docs/runbooks/orders-halted.md lists the causes.',
    ['min(sotto_new_orders_open)', 'open'],
  ),
  now('Halted', 'bool_yes_no', 'Yes means that an operator must investigate and resume.', [
    'max(sotto_orders_halted)',
    'halted',
  ]),
  now(
    'Vaults and books agree',
    'bool_yes_no',
    'No means that vaults, books, root and order table differ.',
    ['min(sotto_books_agree)', 'agree'],
  ),
  now(
    'Relayers can pay',
    'bool_yes_no',
    'No means that new orders are refused until the relayers are topped up.',
    ['min(sotto_relayers_liquid)', 'liquid'],
  ),
  now('Last delivery', 'h', 'Whole hours since the last delivery; -1 if no delivery is recorded.', [
    'min(sotto_last_delivery_hours)',
    'hours',
  ]),
  line(
    'Alerts',
    'short',
    'Alerts in the last hour, by code. Each code has a page in docs/runbooks.',
    ['sum by (code) (increase(sotto_alerts_total[1h])) > 0', '{{code}}'],
  ),
  line(
    'Queue',
    'short',
    'Notes that are not settled yet, and unpaid orders whose deposit may still land.',
    ['max(sotto_open_orders)', 'to be paid'],
    ['max(sotto_payable_orders)', 'may be deposited'],
  ),
  line(
    'Time since the last run of each job of the workers',
    's',
    'Each of these times should stay below a few minutes.',
    ['time() - max(sotto_followed_timestamp_seconds)', 'followed the chain'],
    ['time() - max(sotto_followed_chain_timestamp_seconds)', 'saw a new block'],
    ['time() - max(sotto_relayers_timestamp_seconds)', 'checked relayers'],
    ['time() - max(sotto_books_timestamp_seconds)', 'compared the books'],
  ),
  line(
    'Settlements that relayers can pay for',
    'short',
    'The number for all relayers together, and for each relayer. A relayer is numbered by its position in the settings.',
    ['min(sotto_settlements_affordable)', 'all'],
    ['min by (relayer) (sotto_relayer_settlements_affordable)', 'relayer {{relayer}}'],
  ),
  line(
    'How long the inventory lasts',
    'h',
    'Hours until swaps have used up an inventory, rounded down; 720 means a month or more. The calculation uses the net rate of the last day, or the rate of the last hour if that rate gives less than 12 hours.',
    ['min by (asset) (sotto_inventory_dry_hours)', '{{asset}}'],
  ),
  line(
    'Compute unit price',
    'short',
    'Micro-lamports per compute unit that every transaction offers; "at ceiling" is 1 while the price cannot rise.',
    ['max(sotto_unit_price_microlamports)', 'price'],
    ['max(sotto_unit_price_at_ceiling)', 'at ceiling'],
  ),
]

const flow: readonly Panel[] = [
  line('Milestones', 'short', 'Milestones in the last hour, by name.', [
    'sum by (name) (increase(sotto_events_total{name!~"webhook_.*"}[1h])) > 0',
    '{{name}}',
  ]),
  line('Steps that failed', 'short', 'Failed steps in five minutes; they are repeated.', [
    'sum by (step) (increase(sotto_failures_total[5m])) > 0',
    '{{step}}',
  ]),
  line(
    'Time of a proof',
    's',
    'The time includes the wait for a free prover.',
    [quantile(0.5, 'sotto_proof_seconds', ''), 'median'],
    [quantile(0.95, 'sotto_proof_seconds', ''), '95 of 100'],
  ),
  line(
    'Provers in use',
    'short',
    'Seconds of proving per second; 1 means that one prover works without pauses.',
    ['sum(rate(sotto_prover_busy_seconds_total[5m]))', 'in use'],
  ),
  line(
    'Proofs',
    'short',
    'The proofs that wait or are being made now. For the last hour: the prover processes that ended unexpectedly, and the proofs by outcome.',
    ['sum(sotto_proofs_in_hand)', 'in hand'],
    ['sum(increase(sotto_prover_exits_total[1h]))', 'exits'],
    ['sum by (outcome) (increase(sotto_proof_seconds_count[1h]))', '{{outcome}}'],
  ),
]

const nodes: readonly Panel[] = [
  line(
    'Nodes up',
    'bool_yes_no',
    'The nodes are numbered by their positions in the settings, starting at 0.',
    ['min by (node) (sotto_rpc_node_up)', 'node {{node}}'],
  ),
  line(
    'Lag of each node, in slots',
    'short',
    'Difference from the highest slot of all nodes. The service does not read from a node whose lag is large.',
    ['max by (node) (sotto_rpc_node_lag_slots)', 'node {{node}}'],
  ),
  line('Requests to nodes', 'reqps', 'Requests per second, by node and outcome.', [
    rate('sotto_rpc_tries_total', 'node, outcome'),
    'node {{node}} {{outcome}}',
  ]),
  line('Time of an answer', 's', 'The 95th percentile, including retries.', [
    quantile(0.95, 'sotto_rpc_seconds', 'method'),
    '{{method}}',
  ]),
]

const api: readonly Panel[] = [
  line('Requests', 'reqps', 'Requests per second, by route and status.', [
    rate('sotto_http_request_seconds_count', 'route, status'),
    '{{route}} {{status}}',
  ]),
  line('Time to answer', 's', 'Streams are left out, because they last as long as an order.', [
    `histogram_quantile(0.95, sum by (le, route) (rate(sotto_http_request_seconds_bucket{route!~".*/events"}[5m])))`,
    '{{route}}',
  ]),
  line('Age of the data for quotes', 's', 'If the data is older than 10 s, quotes are refused.', [
    'time() - min(sotto_market_timestamp_seconds)',
    'oldest',
  ]),
  line(
    'Event loop busy',
    'percentunit',
    'The busy share of the event loop. If the share is near 1, requests wait for each other.',
    ['rate(sotto_event_loop_busy_seconds_total[5m])', '{{instance}}'],
  ),
  line('Prices', 'reqps', 'Requests for rates to each source, by outcome.', [
    rate('sotto_price_reads_total', 'source, outcome'),
    '{{source}} {{outcome}}',
  ]),
  line(
    'Screening',
    'reqps',
    'Screened addresses by outcome, and whether the deny list in use equals its file.',
    [rate('sotto_screenings_total', 'screener, outcome'), '{{screener}} {{outcome}}'],
    ['min(sotto_deny_list_current)', 'list is current'],
  ),
  line(
    'Late status changes',
    'short',
    'Status changes that should have been sent to webhooks more than a minute ago; 0 is good.',
    ['max(sotto_outbox_late)', 'late'],
  ),
  line(
    'Webhooks',
    'short',
    'Milestones of webhooks by name, counted when the hour ends, so that no line reveals the time of a settlement.',
    ['sum by (name) (increase(sotto_events_total{name=~"webhook_.*"}[1h])) > 0', '{{name}}'],
  ),
]

const machine: readonly Panel[] = [
  line('Hourly keys', 'short', 'While a key exists, the orders of its hour can be linked.', [
    'max(sotto_epoch_keys)',
    'keys',
  ]),
  line(
    'Oldest hourly key',
    'h',
    'At most four days in a healthy service, and 36 days for keys of top-ups.',
    ['max(sotto_oldest_epoch_key_hours)', 'all'],
    ['max(sotto_oldest_transfer_key_hours)', 'of transfers'],
  ),
  line(
    'Overdue hourly keys',
    's',
    'How long the destruction of the oldest unneeded key has been overdue.',
    ['time() - max(sotto_keys_destroyed_until_timestamp_seconds)', 'overdue'],
  ),
  line(
    'Database',
    'short',
    'Whether the database answers, and connections by state.',
    ['min(sotto_database_up)', 'answers'],
    ['sum by (state) (sotto_database_connections)', '{{state}}'],
  ),
  line(
    'Memory',
    'bytes',
    'The memory of each process without its provers, and the memory that the process may use.',
    ['process_resident_memory_bytes', '{{instance}}'],
    ['sotto_memory_allowed_bytes', '{{instance}} may use'],
  ),
  line('Processor', 'percentunit', 'Cores that each process keeps busy.', [
    'rate(process_cpu_seconds_total[5m])',
    '{{instance}}',
  ]),
  now('Up for', 's', 'Time since each process started.', [
    'time() - process_start_time_seconds',
    '{{instance}}',
  ]),
  now('Processes by version', 'short', 'The number of processes that run each version.', [
    'count by (version, roles) (sotto_build_info)',
    '{{version}} {{roles}}',
  ]),
  now(
    'Earlier payees known',
    'bool_yes_no',
    'No means that every quote treats its recipient as paid before, until a rebuild adds the payees.',
    ['min(sotto_paid_payees_complete)', 'complete'],
  ),
  now(
    'Leaves in the tree',
    'short',
    'Rounded down to whole thousands. A full tree has 67 million leaves.',
    ['max(sotto_tree_leaves)', 'leaves'],
  ),
]

export const rows: readonly Row[] = [
  { title: 'Stuck money', panels: stuckMoney },
  { title: 'Settlement', panels: flow },
  { title: 'Nodes', panels: nodes },
  { title: 'Interface', panels: api },
  { title: 'Keys and machines', panels: machine },
]
