import {
  assertOwner,
  ceilToGrid,
  MAX_LIFE_SECONDS,
  unpackOwner,
  unixSeconds,
  type Point,
  type UnixSeconds,
} from '@sotto/protocol'

/** The members of a request that describe the balance to top up. */
export interface AskedBalance {
  readonly balanceKey?: string | undefined
  readonly balanceSeconds?: number | undefined
  readonly autoReturn?: boolean | undefined
}

/** A balance that a deposit opens. */
export interface BalanceTerms {
  /** The packed key of its owner, 64 lower-case hexadecimal digits. */
  readonly key: string
  readonly lifeSeconds: number
  /** False if the service keeps no data of the balance: then only the owner can return the rest. */
  readonly isReturned: boolean
}

/** A day, so that a balance doesn't end before it can be used. */
export const BALANCE_SECONDS_MIN = 86_400
/** 30 days: the longest life that the circuit proves, without the hour that remains for rounding. */
export const BALANCE_SECONDS_MAX = 2_592_000

/** The balance of a request with a `balanceKey`; the service's defaults replace what it omits. */
export function balanceTermsOf(asked: AskedBalance): BalanceTerms | undefined {
  const { balanceKey: key, balanceSeconds, autoReturn = true } = asked
  if (key === undefined) return undefined
  return { key, lifeSeconds: balanceSeconds ?? BALANCE_SECONDS_MAX, isReturned: autoReturn }
}

/** The owner's key, from hexadecimal digits. @throws RangeError if it could never sign for its balance. */
export function ownerOfKey(key: string): Point {
  const owner = unpackOwner(new Uint8Array(Buffer.from(key, 'hex')))
  if (owner === undefined) throw new RangeError('the owner is not a point on the curve')
  assertOwner(owner)
  return owner
}

/** The end of a balance, on the time grid. */
export function balanceExpiry(deadline: bigint, lifeSeconds: number): UnixSeconds {
  const end = ceilToGrid(deadline + BigInt(lifeSeconds))
  const latest = deadline + MAX_LIFE_SECONDS
  return end < latest ? end : unixSeconds(latest)
}
