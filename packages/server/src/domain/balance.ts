import {
  assertOwner,
  ceilToGrid,
  MAX_LIFE_SECONDS,
  unpackOwner,
  unixSeconds,
  type Point,
  type UnixSeconds,
} from '@sotto/protocol'

/** What a request may say of the balance that it tops up. */
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
  /** False if the service keeps nothing of it: the owner alone returns what is left. */
  readonly isReturned: boolean
}

/** A day, so that the end isn't reached before a balance can be used. */
export const BALANCE_SECONDS_MIN = 86_400
/** 30 days: the longest life that the circuit proves, without the hour that remains for rounding. */
export const BALANCE_SECONDS_MAX = 2_592_000

/** The balance of a request with a `balanceKey`; the service's defaults replace what it omits. */
export function balanceTermsOf(asked: AskedBalance): BalanceTerms | undefined {
  const { balanceKey: key, balanceSeconds, autoReturn = true } = asked
  if (key === undefined) return undefined
  return { key, lifeSeconds: balanceSeconds ?? BALANCE_SECONDS_MAX, isReturned: autoReturn }
}

/** The owner of a key in hexadecimal digits. @throws RangeError for one that could never sign for its balance. */
export function ownerOfKey(key: string): Point {
  const owner = unpackOwner(new Uint8Array(Buffer.from(key, 'hex')))
  if (owner === undefined) throw new RangeError('the owner is no point of the curve')
  assertOwner(owner)
  return owner
}

/** The end of a balance, on the time grid. */
export function balanceExpiry(deadline: bigint, lifeSeconds: number): UnixSeconds {
  const end = ceilToGrid(deadline + BigInt(lifeSeconds))
  const latest = deadline + MAX_LIFE_SECONDS
  return end < latest ? end : unixSeconds(latest)
}
