import {
  lawOf,
  meanDelayMs,
  type Delays,
} from '../../packages/server/src/domain/delivery-schedule.ts'
import { drawDelayMs } from '../../packages/server/src/domain/draw-delay.ts'
import type { SeededRandom } from '../../sim/time/seeded-random.ts'

/** The kind of a settlement. Observers must not be able to distinguish a transfer from a payment out of a balance. */
export type NoteKind = 'transfer' | 'balance' | 'return'

/** The facts that the service knows about a note when it settles the note. */
export interface SettledNote {
  readonly kind: NoteKind
  readonly asset: 'SOL' | 'USDC'
  /** The number of the wallet that made the deposit. */
  readonly wallet: number
  /** The index of the deposit's leaf in the tree. */
  readonly leafIndex: number
  /** The times of the deposit, of the settlement's block and of the note's expiry, in seconds since 1970. */
  readonly deposited: number
  readonly settled: number
  readonly expiry: number
}

/** The choices of a service that are visible in its settlements. A choice that depends on a secret is a leak. */
export interface Behaviour {
  /**
   * Draws the seconds from a transfer's deposit to its delivery. `asked` has the delays that the transfer asks for, or
   * the default delays.
   */
  readonly delay: (asked: Delays, random: SeededRandom) => number
  /** True if each delivery waits until all earlier deposits are delivered. */
  readonly isInOrder: boolean
  /** The index of the relayer that pays the transaction, from 0 to `count - 1`. */
  readonly relayer: (note: SettledNote, count: number, random: SeededRandom) => number
  readonly unitLimit: (note: SettledNote) => number
  readonly serviceBps: (kind: NoteKind) => bigint
  /**
   * The index of the last leaf that the proof's root covers. `newest` is the index of the newest leaf when the proof is
   * made.
   */
  readonly rootLeaf: (note: SettledNote, newest: number) => number
  /** The deadline of an order that is made at the second `madeSeconds`. */
  readonly deadline: (madeSeconds: number) => number
  /** The time that a delivery's proof shows as a public input. */
  readonly publicTime: (note: SettledNote) => number
  /** The 32 bytes of the change's leaf. `random` contains random bytes whose value is below the field's modulus. */
  readonly changeLeaf: (kind: NoteKind, random: Uint8Array) => Uint8Array
  /** The 65 bytes of a deposit's payload. `random` contains the epoch, followed by random bytes. */
  readonly payload: (kind: NoteKind, random: Uint8Array) => Uint8Array
}

const GRID = 600
const ORDER_SECONDS = 1_800
const LANDING_SECONDS = 90
const SETTLE_UNITS = 250_000
const SERVICE_BPS = 20n
/** The service's default delays. */
export const DEFAULT_DELAYS = { minDelaySeconds: 0, meanSeconds: 300, maxDelaySeconds: 1_800 }
export const DELAY_LAW = lawOf(DEFAULT_DELAYS)

export const ceilToGrid = (seconds: number): number => Math.ceil(seconds / GRID) * GRID

/** The intended behaviour of the service. Its choices depend only on public facts. */
export const MEANT: Behaviour = {
  delay: (delays, random) => {
    const width = delays.maxDelaySeconds - delays.minDelaySeconds
    const drawnMs = drawDelayMs(random, width * 1_000, meanDelayMs(DELAY_LAW, delays))
    return delays.minDelaySeconds + Math.round(drawnMs / 1_000)
  },
  isInOrder: false,
  relayer: (_note, count, random) => random.below(count),
  unitLimit: () => SETTLE_UNITS,
  serviceBps: () => SERVICE_BPS,
  rootLeaf: (_note, newest) => newest,
  deadline: (madeSeconds) => ceilToGrid(madeSeconds + ORDER_SECONDS),
  publicTime: ({ settled }) => ceilToGrid(settled + LANDING_SECONDS),
  changeLeaf: (_kind, random) => random,
  payload: (_kind, random) => random,
}
