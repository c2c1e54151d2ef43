import type { LeakName } from '../leaks/finding.ts'
import { MEANT, type Behaviour } from '../script/behaviour.ts'

/** A service with one leak, and the name under which the observer must find it. */
export interface PlantedLeak {
  readonly name: string
  readonly found: LeakName
  /**
   * Words of the finding that describes this leak. Each planted mistake causes only one leak. So any other finding is a
   * false alarm.
   */
  readonly shows: string
  readonly behaviour: Behaviour
}

const GRID = 600
const ORDER_SECONDS = 1_800
const SAME_DELAY = 35
/** A compute unit limit that is lower than the usual limit. It is high enough for any settlement. */
const LESS_UNITS = 180_000
/** A fee for payments out of balances. It is a hundredth of a per cent below the tariff. */
const LESS_BPS = 19n
const USUAL_BPS = 20n
/** `KIND_BYTE` is the first byte after the epoch in a payload. `LEAF_BYTE` is the last byte of a leaf. */
const [KIND_BYTE, LEAF_BYTE] = [4, 31]

const leak = (
  name: string,
  [found, shows]: readonly [LeakName, string],
  changed: Partial<Behaviour>,
): PlantedLeak => ({
  ...{ name, found, shows },
  behaviour: { ...MEANT, ...changed },
})

function withByte(bytes: Uint8Array, place: number, value: number): Uint8Array {
  const changed = new Uint8Array(bytes)
  changed[place] = value
  return changed
}

/** Mistakes that a service of this kind can make. Each of them is visible in public data. */
export const PLANTED_LEAKS: readonly PlantedLeak[] = [
  leak(
    'deliveries keep the order of their deposits',
    ['fifo', 'far fewer than with random delays'],
    { isInOrder: true },
  ),
  leak('every delay is the same', ['fixed-delay', 'of the known delays lie between'], {
    delay: () => SAME_DELAY,
  }),
  leak('each asset has a relayer of its own', ['relayer', 'relayer depends on the asset'], {
    relayer: ({ asset }) => (asset === 'SOL' ? 0 : 1),
  }),
  leak(
    'each sender keeps one relayer',
    ['relayer', 'relayer depends on the wallet that deposited'],
    {
      relayer: ({ wallet }, count) => wallet % count,
    },
  ),
  leak(
    'payments out of balances ask for fewer compute units',
    ['unit-budget', 'limit depends on whether a whole deposit is paid out'],
    {
      unitLimit: ({ kind }) => (kind === 'balance' ? LESS_UNITS : 250_000),
    },
  ),
  leak(
    'payments out of balances have a fee of their own',
    ['fee', 'tariff depends on whether a whole deposit is paid out'],
    {
      serviceBps: (kind) => (kind === 'balance' ? LESS_BPS : USUAL_BPS),
    },
  ),
  leak('the root is fixed when the deposit is seen', ['early-root', 'use a root that was old'], {
    rootLeaf: ({ leafIndex }) => leafIndex,
  }),
  leak('the deadline reveals the second of the order', ['deadline-second', 'lie off the grid'], {
    deadline: (madeSeconds) => madeSeconds + ORDER_SECONDS,
  }),
  leak(
    'the public time is the expiry of the note',
    ['public-time', 'is not the next one on the grid'],
    {
      publicTime: ({ expiry }) => Math.max(expiry, GRID),
    },
  ),
  leak(
    'leaves of empty changes end in the same byte',
    ['change-form', 'byte 31 of the leaves of changes'],
    {
      changeLeaf: (kind, random) => (kind === 'transfer' ? withByte(random, LEAF_BYTE, 0) : random),
    },
  ),
  leak(
    'the payload contains the kind in plain text',
    ['payload-form', 'byte 4 of the sealed payloads'],
    {
      payload: (kind, random) => withByte(random, KIND_BYTE, kind === 'transfer' ? 1 : 2),
    },
  ),
]
