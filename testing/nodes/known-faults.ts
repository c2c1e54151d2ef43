import type { Asked, Fault } from './node-proxy.ts'

/** The effects of a fault that the service's metrics must show. */
interface Shown {
  /** The outcome that `sotto_rpc_tries_total` counts for node 0; undefined if the node seems to work. */
  readonly tries?: 'failed' | 'lacking'
  /** The codes of the alerts that must be raised. The service must raise no other alert. */
  readonly alerts?: readonly string[]
}

/** A fault of public nodes, with the expected effects on the service. */
export interface KnownFault {
  readonly name: string
  /** Number of the service's nodes. The first node has the fault. */
  readonly nodes: 1 | 2
  readonly faults: readonly Fault[]
  /** Seconds for which the fault lasts; undefined if it lasts until all transfers have ended. */
  readonly seconds?: number
  /**
   * True if the fault begins before the service starts, because the service rarely makes the affected requests later.
   */
  readonly isFromStart?: true
  readonly shown: Shown
}

const SECONDS = 5
/** True if the test runs on a validator or a cluster, whose transactions become final only after about 13 seconds. */
const IS_CLUSTER =
  process.env['TEST_RPC_URL'] !== undefined || process.env['TEST_VALIDATOR'] === 'true'
/**
 * Duration of a long fault. It is longer than a transfer takes, so that the fault affects each step of the transfer.
 */
const LONG_SECONDS = IS_CLUSTER ? 60 : 15

const error = (code: number, message: string): Fault['misdeed'] => ({
  kind: 'error',
  code,
  message,
})
const always = (misdeed: Fault['misdeed'], methods?: readonly string[]): readonly Fault[] => [
  { misdeed, ...(methods === undefined ? {} : { methods }) },
]

const HTML = '<!doctype html><title>Just a moment...</title>'

/**
 * Temporary faults, each with its name, its effect on a request, and the outcome that metrics must show. For a few
 * seconds, a temporary fault affects every request.
 */
const PASSING: readonly (readonly [string, Fault['misdeed'], Shown['tries']])[] = [
  [
    '429 with Retry-After',
    { kind: 'status', status: 429, headers: { 'Retry-After': '3' } },
    'failed',
  ],
  ['429 without Retry-After', { kind: 'status', status: 429 }, 'failed'],
  ['-32429, too many requests', error(-32_429, 'rate limited'), 'failed'],
  ['-32005, unhealthy', error(-32_005, 'Node is behind by 150 slots'), 'lacking'],
  [
    '-32016, behind the slot',
    error(-32_016, 'Minimum context slot has not been reached'),
    'lacking',
  ],
  ['-32603, internal error', error(-32_603, 'Internal error'), 'lacking'],
  ['502', { kind: 'status', status: 502, body: HTML }, 'failed'],
  [
    'HTML with 200',
    { kind: 'status', status: 200, headers: { 'Content-Type': 'text/html' }, body: HTML },
    'failed',
  ],
  ['connections are reset', { kind: 'reset' }, 'failed'],
  ['requests hang', { kind: 'hang' }, 'failed'],
]

const HISTORY = ['getSignaturesForAddress', 'getTransaction', 'getBlock', 'getBlockTime']

/** The node lists no transactions, as if its index were late. */
const emptyList = { kind: 'invent', result: () => [] } as const
const nothing = { kind: 'invent', result: () => null } as const

/** The signature of the transaction that a request sends. A working node would return the same signature. */
function swallowed({ params }: Asked): string {
  const wire = Buffer.from(params[0] as string, 'base64')
  return base58(wire.subarray(1, 65))
}

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

function base58(bytes: Uint8Array): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; value > 0n; value /= 58n) text = `${DIGITS[Number(value % 58n)]}${text}`
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(Math.max(0, zeros)) + text
}

const withoutTimes = (found: unknown): unknown =>
  Array.isArray(found)
    ? found.map((one: object) => ({ ...one, blockTime: null }))
    : found !== null && typeof found === 'object' && 'blockTime' in found
      ? { ...found, blockTime: null }
      : found

/** Returns transactions as version 1. A request that doesn't accept version 1 gets null. */
function inVersionOne(found: unknown, { params }: Asked): unknown {
  const wish = params.at(-1) as { readonly maxSupportedTransactionVersion?: number }
  if ((wish.maxSupportedTransactionVersion ?? 0) < 1) return null
  return found !== null && typeof found === 'object' ? { ...found, version: 1 } : found
}

const [NULLIFIER_KIND, NULLIFIER_BYTES] = [5, 40]
/** Offset of a Nullifier's closing time, which is a fixed time after the settlement. */
const CLOSABLE_AT = 4
const LATER_SECONDS = 40 * 86_400

interface Account {
  readonly owner: string
  readonly data: readonly [string, string]
}

/** Changes every Nullifier as if its note had been settled long after its expiry, when only a refund is possible. */
function laterNullifiers(found: unknown): unknown {
  const { context, value } = found as { context: object; value: (Account | null)[] }
  return { context, value: value.map((account) => account && later(account)) }
}

function later(account: Account): Account {
  const data = Buffer.from(account.data[0], 'base64')
  if (data[0] !== NULLIFIER_KIND || data.length !== NULLIFIER_BYTES) return account
  data.writeUInt32LE(data.readUInt32LE(CLOSABLE_AT) + LATER_SECONDS, CLOSABLE_AT)
  return { ...account, data: [data.toString('base64'), 'base64'] }
}

const SYSVARS = 'Sysvar1111111111111111111111111111111111111'
const CLOCK_BYTES = 40
/** Offset of the time in a Clock sysvar. */
const CLOCK_TIME = 32

/** Shows the chain's clock as it was this many seconds earlier. */
export const earlierClock = (seconds: bigint) => (found: unknown) => {
  const { context, value } = found as { context: object; value: (Account | null)[] }
  const earlier = (account: Account): Account => {
    const data = Buffer.from(account.data[0], 'base64')
    if (account.owner !== SYSVARS || data.length !== CLOCK_BYTES) return account
    data.writeBigInt64LE(data.readBigInt64LE(CLOCK_TIME) - seconds, CLOCK_TIME)
    return { ...account, data: [data.toString('base64'), 'base64'] }
  }
  return { context, value: value.map((account) => account && earlier(account)) }
}

/** Every fault, with its required effects on the service. */
export const KNOWN_FAULTS: readonly KnownFault[] = [
  ...PASSING.map(([name, misdeed, tries]): KnownFault => {
    const shown = tries === undefined ? {} : { tries }
    return { name, nodes: 1, faults: always(misdeed), seconds: SECONDS, shown }
  }),
  {
    name: '-32020, unknown signature',
    nodes: 1,
    faults: always(error(-32_020, 'Transaction not found'), ['getSignaturesForAddress']),
    seconds: LONG_SECONDS,
    shown: {},
  },
  {
    name: '-32015, unknown version',
    nodes: 1,
    faults: always(error(-32_015, 'Transaction version (1) is not supported'), ['getTransaction']),
    seconds: LONG_SECONDS,
    shown: {},
  },
  {
    name: 'transactions of version 1',
    nodes: 1,
    faults: always({ kind: 'change', result: inVersionOne }, ['getTransaction']),
    shown: {},
  },
  {
    name: 'the index of transactions is late',
    nodes: 1,
    faults: always(emptyList, ['getSignaturesForAddress']),
    seconds: LONG_SECONDS,
    shown: {},
  },
  {
    name: 'getTransaction null',
    nodes: 1,
    faults: always(nothing, ['getTransaction']),
    seconds: LONG_SECONDS,
    shown: {},
  },
  {
    name: 'sent transactions are dropped',
    nodes: 1,
    faults: always({ kind: 'invent', result: swallowed }, ['sendTransaction']),
    seconds: LONG_SECONDS,
    shown: {},
  },
  {
    name: 'block times null',
    nodes: 1,
    faults: [
      ...always(nothing, ['getBlockTime']),
      ...always({ kind: 'change', result: withoutTimes }, HISTORY),
    ],
    seconds: LONG_SECONDS,
    shown: {},
  },
  {
    name: 'getProgramAccounts 403',
    nodes: 1,
    faults: always({ kind: 'status', status: 403 }, ['getProgramAccounts']),
    isFromStart: true,
    shown: { tries: 'lacking' },
  },
  {
    name: 'getProgramAccounts 403',
    nodes: 2,
    faults: always({ kind: 'status', status: 403 }, ['getProgramAccounts']),
    isFromStart: true,
    shown: { tries: 'lacking' },
  },
  {
    name: 'requests hang',
    nodes: 2,
    faults: always({ kind: 'hang' }),
    shown: { tries: 'failed' },
  },
  {
    name: 'sent transactions are dropped',
    nodes: 2,
    faults: always({ kind: 'invent', result: swallowed }, ['sendTransaction']),
    shown: {},
  },
  {
    name: 'history is pruned',
    nodes: 2,
    faults: [
      ...always(emptyList, ['getSignaturesForAddress']),
      ...always(nothing, ['getTransaction', 'getBlock', 'getBlockTime']),
    ],
    shown: {},
  },
  {
    name: 'nodes disagree about a settlement',
    nodes: 2,
    faults: always({ kind: 'change', result: laterNullifiers }, ['getMultipleAccounts']),
    seconds: LONG_SECONDS,
    shown: { alerts: ['nodes_disagree'] },
  },
  {
    name: 'history is pruned',
    nodes: 1,
    faults: [
      ...always(emptyList, ['getSignaturesForAddress']),
      ...always(nothing, ['getTransaction', 'getBlock', 'getBlockTime']),
    ],
    shown: { alerts: ['history_missing'] },
  },
]
