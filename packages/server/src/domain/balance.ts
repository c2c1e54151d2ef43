import {
  assertOwner,
  ceilToGrid,
  MAX_LIFE_SECONDS,
  unpackOwner,
  unixSeconds,
  type Point,
  type UnixSeconds,
} from '@sotto/protocol'

/** The fields of a request that describe the balance to top up. */
export interface AskedBalance {
  readonly balanceKey?: string | undefined
  readonly balanceSeconds?: number | undefined
  readonly autoReturn?: boolean | undefined
}

/** A balance that a deposit opens. */
export interface BalanceTerms {
  /** The packed public key of the balance's owner, 64 lower-case hexadecimal digits. */
  readonly key: string
  readonly lifeSeconds: number
  /** False if the service keeps no data of the balance. In that case only the owner can return the balance's rest. */
  readonly isReturned: boolean
}

/** Shortest life of a balance, in seconds: one day, so that a balance doesn't end before it can be used. */
export const BALANCE_SECONDS_MIN = 86_400

/**
 * True if an order's life is so long that the order must be a top-up. The settings keep the delivery window of
 * transfers shorter than a day. So the order's deadline and expiry show its kind, even if its sealed terms can't be
 * read.
 */
export const livesLikeBalance = ({
  deadline,
  expiry,
}: {
  readonly deadline: bigint
  readonly expiry: bigint
}): boolean => expiry - deadline >= BALANCE_SECONDS_MIN

/**
 * Three days, in seconds: the partner is notified this long before a balance's end. If half of the balance's life is
 * shorter than three days, the partner is notified when half of the life is left.
 */
export const NOTICE_SECONDS = 259_200

/** Seconds before a balance's end at which the partner is notified, for a balance with a life of `lifeSeconds`. */
export const noticeSecondsOf = (lifeSeconds: bigint): bigint =>
  lifeSeconds / 2n < NOTICE_SECONDS ? lifeSeconds / 2n : BigInt(NOTICE_SECONDS)

/** 30 days, in seconds: the longest life that the circuit can prove, minus an hour for rounding. */
export const BALANCE_SECONDS_MAX = 2_592_000

/**
 * The balance that a request asks for; undefined if the request has no `balanceKey`. Defaults replace omitted fields.
 */
export function balanceTermsOf(asked: AskedBalance): BalanceTerms | undefined {
  const { balanceKey: key, balanceSeconds, autoReturn = true } = asked
  if (key === undefined) return undefined
  return { key, lifeSeconds: balanceSeconds ?? BALANCE_SECONDS_MAX, isReturned: autoReturn }
}

/** Decodes an owner's public key. @throws RangeError if no signature can be valid for this key. */
export function ownerOfKey(key: string): Point {
  const owner = unpackOwner(new Uint8Array(Buffer.from(key, 'hex')))
  if (owner === undefined) throw new RangeError('the owner is not a point on the curve')
  assertOwner(owner)
  return owner
}

/**
 * The end of a balance, rounded up to a multiple of 600 seconds, but not beyond the longest life that the circuit can
 * prove.
 */
export function balanceExpiry(deadline: UnixSeconds, lifeSeconds: number): UnixSeconds {
  const end = ceilToGrid(deadline + BigInt(lifeSeconds))
  const latest = deadline + MAX_LIFE_SECONDS
  return end < latest ? end : unixSeconds(latest)
}
