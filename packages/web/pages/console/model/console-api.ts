/** The service's report about itself. Amounts are base units, as strings of digits. */
export interface Overview {
  readonly takenAt: string
  readonly cluster: string
  readonly roles: readonly string[]
  readonly health: {
    readonly halted: string | null
    /** The service reports the chain as not followed if no worker has followed it for this many seconds. */
    readonly unfollowedSeconds: number
    readonly followed?: { readonly slot: string; readonly chainTime: string; readonly at: string }
    readonly books?: { readonly agree: boolean; readonly at: string }
    readonly liquidity?: { readonly isLiquid: boolean; readonly at: string }
    /** False while payees of earlier settlements are missing, so that every quote states one wallet. */
    readonly hasPaidPayees: boolean
  }
  readonly open: {
    readonly awaitingDeposit: number
    readonly delivering: number
    readonly refunding: number
  }
  /** Null if this process doesn't settle. */
  readonly settlement: Settlement | null
  /** Null if no node responds. */
  readonly vaults: readonly Vault[] | null
  readonly troubles: readonly Trouble[]
}

export interface Settlement {
  readonly relayers: readonly string[]
  readonly affordable: string
  /** Number of notes in the tree that aren't settled: deposited orders and open balances. */
  readonly open: number
  readonly payable: number
  readonly overdueSeconds: number
  readonly lastDeliveryHours: number | null
}

export interface Vault {
  readonly symbol: string
  readonly decimals: number
  readonly held: string
  readonly owed: string
  readonly fees: string
  readonly inventory: string
  readonly covers: boolean
  /**
   * Hours after which swaps will have used up the inventory at the current rate, rounded to steps. Null if swaps don't
   * pay out this asset. Absent if it is unknown, for example because no node answers in time.
   */
  readonly dryHours?: number | null
}

export interface Trouble {
  readonly kind: 'alert' | 'failure'
  readonly code: string
  readonly count: number
  readonly at: string
}

export const RANGES = ['6h', '24h', '7d'] as const
export type Range = (typeof RANGES)[number]

export interface Crowds {
  readonly spanSeconds: number
  readonly fromSeconds: number
  readonly series: readonly CrowdSeries[]
}

export interface CrowdSeries {
  readonly symbol: string
  readonly deposits: readonly number[]
  readonly alike: readonly number[]
}

/** The service refused or did not respond. The message is for the operator. */
export class ConsoleError extends Error {
  override readonly name = 'ConsoleError'
  readonly status: number

  constructor(status: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }
}

const API = '/console/api/'
/** Maximum time for one request and its whole answer, in milliseconds. */
const LIMIT_MS = 30_000

async function ask<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  let response: Response
  let body: { message?: string }
  try {
    response = await fetch(API + path, { ...init, signal: AbortSignal.timeout(LIMIT_MS) })
    body = (await response.json()) as { message?: string }
  } catch (cause) {
    throw new ConsoleError(0, 'The service does not answer.', cause)
  }
  if (!response.ok) throw new ConsoleError(response.status, body.message ?? 'The service refused.')
  return body as Answer
}

export const readOverview = (): Promise<Overview> => ask('overview')
export const readCrowds = (range: Range): Promise<Crowds> => ask(`crowds?range=${range}`)
export const logOut = (): Promise<unknown> => ask('session', { method: 'DELETE' })
export const logIn = (token: string): Promise<unknown> =>
  ask('session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
