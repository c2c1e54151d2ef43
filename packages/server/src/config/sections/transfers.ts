import { MAX_DEPOSIT_SECONDS, TIME_GRID_SECONDS } from '@sotto/protocol'
import { BALANCE_SECONDS_MIN } from '../../domain/balance.ts'
import { setting } from '../setting.ts'
import { targets, whole } from '../value-kinds.ts'

const GRID = Number(TIME_GRID_SECONDS)
/**
 * Longest deadline, in seconds. The program refuses deadlines above its own maximum, and deadlines are rounded up to
 * the time grid. So this value is the program's maximum minus one step of the grid.
 */
const ORDER_SECONDS_MAX = Number(MAX_DEPOSIT_SECONDS) - GRID
/**
 * Longest delivery window, in seconds: nearly a day, which is enough for every delivery. If the time from an order's
 * deadline to its expiry is at least `BALANCE_SECONDS_MIN`, the order counts as the order of a balance. So the window
 * must be shorter than that time.
 */
const WINDOW_MAX = BALANCE_SECONDS_MIN - GRID

/** Default of the maximum delay, in seconds. If the delivery window is shorter, the default is the window. */
export const DELAY_MAX_DEFAULT = 1_800

export const transferSettings = {
  DELIVERY_WINDOW_SECONDS: setting(
    whole(GRID, WINDOW_MAX)
      .refine((value) => value % GRID === 0, { error: `must be a multiple of ${GRID}` })
      .prefault('3600'),
    {
      meaning: `time from an order's deadline to its expiry, the same for all transfers; a multiple of ${GRID}, at most ${WINDOW_MAX}`,
      example: '3600',
    },
  ),
  DELAY_MIN_SECONDS: setting(whole(0, WINDOW_MAX).prefault('0'), {
    meaning: "minimum delay of a delivery, if the quote's request names no other",
    example: '0',
  }),
  DELAY_MEAN_SECONDS: setting(whole(1, WINDOW_MAX).prefault('300'), {
    meaning:
      'mean delay of a delivery, counted from the minimum delay. Delays are exponential. With a longer mean, more deposits wait at the same time, so the time of a delivery reveals less. A request for a wider window than the default gets a proportionally longer mean',
    example: '300',
  }),
  DELAY_MAX_SECONDS: setting(whole(0, WINDOW_MAX).optional(), {
    meaning:
      "maximum delay of a delivery, if the quote's request names no other. A longer delay is never drawn; if this limit is six times the mean, it excludes one delay in 400",
    example: '1800',
    defaultText: `\`${DELAY_MAX_DEFAULT}\`, or \`SOTTO_DELIVERY_WINDOW_SECONDS\` if that is less`,
  }),
  QUOTE_SECONDS: setting(whole(5, 600).prefault('60'), {
    meaning: 'how long a quote is valid',
    example: '60',
  }),
  ORDER_SECONDS: setting(whole(60, ORDER_SECONDS_MAX).prefault('1800'), {
    meaning: `time in which an order may be paid; the end of this time, which is the order's deadline, is rounded up to a multiple of ${GRID} seconds. A swap may be paid for at most three minutes`,
    example: '1800',
  }),
  // Values above 180 are accepted, because older versions used such values.
  SWAP_SECONDS: setting(whole(60, 600).prefault('90'), {
    meaning:
      "how long one authorisation of a swap is valid; the authorisation's end is rounded down to a multiple of 30 seconds. All authorisations of an order end at most three minutes after the order's creation",
    example: '90',
  }),
  ACCOUNT_SHARE_PERCENT: setting(whole(1, 100).prefault('50'), {
    meaning:
      'how much the unpaid swaps of one account may reserve, as a percentage of the inventory that swaps can take from the asset now; the visitors of the send page from one network may reserve half of that',
    example: '50',
  }),
  CROWD_ORDERS_PER_DAY: setting(whole(1, 1_000_000).prefault('500'), {
    meaning:
      "how many orders with `crowdMissed: refund` one account may make per day, on each replica. They may all be made at once; the number is then refilled evenly within a day. One network on the send page may make a fiftieth of this number. The limit is needed because the service pays for the refund if the order's crowd does not become complete",
    example: '500',
  }),
  SPREAD_BPS: setting(whole(0, 1_000).prefault('30'), {
    meaning: "the part of a swap's rate that the service keeps, in hundredths of a percent",
    example: '30',
  }),
  INVENTORY_TARGETS: setting(targets.optional(), {
    meaning:
      'the inventory that `sotto-server inventory rebalance` aims at: for each mint a percentage of the total value, or an amount in base units',
    example:
      'So11111111111111111111111111111111111111112=40%,EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v=60%',
    defaultText: 'none: the command needs `--targets`',
    isTable: true,
  }),
  PRICE_TOLERANCE_BPS: setting(whole(0, 1_000).prefault('50'), {
    meaning:
      'has no effect, and is accepted only because older configurations contain it. A swap is refreshed only if a new quote would pay at least as much',
    example: '50',
  }),
}

export const workerSettings = {
  PROVER_PROCESSES: setting(whole(1, 64).prefault('1'), {
    meaning:
      'number of prover processes; each makes up to two proofs at once, on up to two cores, and needs 200 MB',
    example: '2',
  }),
  POLL_MS: setting(whole(50, 60_000).prefault('400'), {
    meaning:
      'polling interval for the chain, in milliseconds; after a minute without work the chain is read every 3 s. At most half of SOTTO_UNFOLLOWED_SECONDS',
    example: '400',
  }),
  UPKEEP_SECONDS: setting(whole(1, 86_400).optional(), {
    meaning:
      'pause between two rounds of comparing the books with the chain, adjusting the priority fee and destroying keys',
    example: '120',
    defaultText: '120; 5 on localnet',
  }),
}
