import {
  grossOf,
  type SeenDeposit,
  type SeenSettlement,
  type Sightings,
} from '../chain/sightings.ts'

/** The times between which the last payment out of a balance landed, in seconds since 1970. Both are included. */
export interface LastPayment {
  readonly from: number
  readonly to: number
}

const GRID = 600
const DAY = 86_400
/** A rest returns at the first or the second grid time after the balance's end, and lands within minutes. */
const RETURN_SECONDS: readonly [number, number] = [GRID, 3 * GRID]
/** A transfer expires this long after its deadline, if its order names no other delivery window. */
const DELIVERY_SECONDS = 3_600
/** A payment lands at most this long before its signature expires. */
const SIGNED_SECONDS = 1_200
/** The longest life of a balance, in days. It is also the usual life, so it starts with one vote in `usualDays`. */
const DAYS_MAX = 30
/** A life is used only if at least this share of all returns fits it. */
const SHARE_MIN = 0.5

/** What the times of returns show. */
export interface ReturnTimes {
  /** The deposits whose rest a refund can have returned. */
  readonly depositsOf: (refund: SeenSettlement) => readonly SeenDeposit[]
  /** The time of the last payment out of a deposit whose rest a refund returned; undefined if it isn't known. */
  readonly lastPayment: (refund: SeenSettlement, deposit: SeenDeposit) => LastPayment | undefined
}

/**
 * Reads what the time of each return shows. A balance ends when its life has passed since the beginning of the day in
 * which its last payment's signature expired. If no payment has postponed the end, the balance ends when its life has
 * passed since the deposit's deadline. The observer knows no balance's life. It assumes the whole number of days that
 * fits the most returns.
 *
 * @param paidOf finds the sets of payments that explain a refund, and returns the time of each set's last payment.
 */
export function readReturnTimes(
  { settlements }: Sightings,
  depositsOf: (refund: SeenSettlement) => readonly SeenDeposit[],
  paidOf: (refund: SeenSettlement) => readonly number[],
): ReturnTimes {
  const refunds = settlements.filter((one) => one.isRefund && depositsOf(one).length > 0)
  const days = usualDays(refunds, depositsOf, paidOf)
  if (days === undefined) return { depositsOf, lastPayment: () => undefined }
  const lastPayment = (refund: SeenSettlement, deposit: SeenDeposit) =>
    lastPaymentOf(refund, deposit, days)
  return {
    lastPayment,
    depositsOf: (refund) => {
      const all = depositsOf(refund)
      const fitting = all.filter((deposit) => lastPayment(refund, deposit) !== undefined)
      return fitting.length > 0 ? fitting : all
    },
  }
}

/** The life that fits the most returns, in days; undefined if too few returns fit it. */
function usualDays(
  refunds: readonly SeenSettlement[],
  depositsOf: (refund: SeenSettlement) => readonly SeenDeposit[],
  paidOf: (refund: SeenSettlement) => readonly number[],
): number | undefined {
  const votes = new Array<number>(DAYS_MAX + 1).fill(0)
  votes[DAYS_MAX] = 1
  for (const refund of refunds) {
    const lives = new Set(
      [...depositsOf(refund)].flatMap((deposit) =>
        ALL_DAYS.filter((days) => endsUnused(refund, deposit, days)),
      ),
    )
    const end = midnightOf(refund)
    const paid = paidOf(refund).map((seconds) => dayOf(seconds + SIGNED_SECONDS / 2))
    if (end !== undefined) for (const day of paid) lives.add((end - day) / DAY)
    for (const days of lives) votes[days] = (votes[days] ?? 0) + 1 / lives.size
  }
  const usual = ALL_DAYS.reduce((best, days) =>
    (votes[days] ?? 0) > (votes[best] ?? 0) ? days : best,
  )
  const fitting = refunds.filter((refund) =>
    depositsOf(refund).some((deposit) => lastPaymentOf(refund, deposit, usual) !== undefined),
  )
  return fitting.length > 0 && fitting.length >= SHARE_MIN * refunds.length ? usual : undefined
}

/**
 * The time of the last payment, for a balance with this life; undefined if the time of the return doesn't fit this
 * life.
 */
function lastPaymentOf(
  refund: SeenSettlement,
  deposit: SeenDeposit,
  days: number,
): LastPayment | undefined {
  const firstDay = dayOf(deposit.deadline)
  if (endsUnused(refund, deposit, days)) return { from: deposit.seconds, to: firstDay + DAY }
  const end = midnightOf(refund)
  if (end === undefined || grossOf(refund) === deposit.value) return undefined
  const day = end - days * DAY
  return day > firstDay ? { from: day - SIGNED_SECONDS, to: day + DAY } : undefined
}

/** True if the time of the return fits a balance that has this life and whose end no payment has postponed. */
const endsUnused = (refund: SeenSettlement, { deadline }: SeenDeposit, days: number): boolean =>
  returnsAfter(refund, deadline + days * DAY)

/** True if the refund landed in the usual time after a note's expiry. */
function returnsAfter({ seconds }: SeenSettlement, expiry: number): boolean {
  const since = seconds - Math.ceil(expiry / GRID) * GRID
  return since >= RETURN_SECONDS[0] && since <= RETURN_SECONDS[1]
}

/**
 * True if the time of a refund fits a deposit from which nothing was paid: a transfer, which expires an hour after its
 * deadline, or a balance that lives for a whole number of days.
 */
export const fitsUnpaid = (refund: SeenSettlement, deposit: SeenDeposit): boolean =>
  returnsAfter(refund, deposit.deadline + DELIVERY_SECONDS) ||
  ALL_DAYS.some((days) => endsUnused(refund, deposit, days))

/** The beginning of the day at which the balance ended; undefined if it didn't end at the beginning of a day. */
function midnightOf({ seconds }: SeenSettlement): number | undefined {
  const day = dayOf(seconds)
  const since = seconds - day
  return since >= RETURN_SECONDS[0] && since <= RETURN_SECONDS[1] ? day : undefined
}

const dayOf = (seconds: number): number => Math.floor(seconds / DAY) * DAY
const ALL_DAYS = Array.from({ length: DAYS_MAX }, (_, place) => place + 1)
