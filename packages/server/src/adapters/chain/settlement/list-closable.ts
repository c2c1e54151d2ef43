import {
  CLOSE_DELAY_SECONDS,
  NULLIFIER_BYTES,
  ORDER_BYTES,
  shownNullifier,
  shownOrder,
  type Address,
  type UnixSeconds,
} from '@sotto/protocol'
import type { Closable, FinalizedHead } from '../../../ports/settlement-chain.ts'
import { readProgramAccounts, type AccountKind, type OwnedAccount } from './program-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** The parts of an account that matter here: the wallet that gets the account's rent, and the account's time. */
interface Shown {
  readonly rentPayer: Address
  readonly time: UnixSeconds
}

interface ClosableKind extends AccountKind {
  readonly kind: Closable['kind']
  /** The position of the account's time, a little-endian number of seconds. */
  readonly timeAt: number
  /** Seconds from the account's time until the account may be closed. */
  readonly delay: bigint
  readonly read: (program: Address, account: OwnedAccount) => Shown | undefined
}

const ORDER: ClosableKind = {
  ...{ kind: 'order', discriminator: 4, size: ORDER_BYTES, timeAt: 8, delay: CLOSE_DELAY_SECONDS },
  read: (program, account) => {
    const order = shownOrder(program, account)
    return order && { rentPayer: order.sender, time: order.deadline }
  },
}
const NULLIFIER: ClosableKind = {
  ...{ kind: 'nullifier', discriminator: 5, size: NULLIFIER_BYTES, timeAt: 4, delay: 0n },
  read: (program, account) => {
    const nullifier = shownNullifier(program, account)
    return nullifier && { rentPayer: nullifier.rentPayer, time: nullifier.closableAt }
  },
}

/**
 * If the tree has at most this number of leaves, one request for each kind lists all accounts. There are at most as
 * many accounts as leaves, because a deposit adds a leaf and an Order account, and a settlement adds a leaf and a
 * Nullifier account. A list of 600,000 accounts would take a gigabyte of memory here, and many nodes refuse to send
 * such a list.
 */
const LEAVES_MAX = 50_000n
/**
 * In a larger pool, each call lists only the accounts of some time windows: the newest windows and some older windows.
 * A window is 65,536 seconds long, about 18 hours, so a filter can select it by two bytes of the account's time.
 */
const WINDOW_SECONDS = 65_536n
const WINDOW_AT = 2
const NEWEST_WINDOWS = 2
const OLDER_AT_ONCE = 4
/**
 * Accounts are listed again for about 100 days, in case closing them has failed. One call an hour reaches all
 * windows within 33 hours.
 */
const OLDER_WINDOWS = 130

/**
 * Returns a function that lists Order and Nullifier accounts whose closing time has passed, no matter who paid their
 * rent. In a large pool, each call finds all recent accounts, and some older accounts.
 */
export function closableLister(
  rpc: ChainRpc,
  program: Address,
): (head: Pick<FinalizedHead, 'unixSeconds' | 'nextLeaf'>) => Promise<Closable[]> {
  let older = 0
  return async ({ unixSeconds: clock, nextLeaf }) => {
    const isSmall = nextLeaf <= LEAVES_MAX
    const windows = isSmall ? [undefined] : windowsBefore(older)
    if (!isSmall) older = (older + OLDER_AT_ONCE) % OLDER_WINDOWS
    const found: Closable[] = []
    for (const one of [ORDER, NULLIFIER]) {
      for (const past of windows) {
        const time = past === undefined ? undefined : timeIn(one, clock, past)
        for (const account of await readProgramAccounts(rpc, program, one, time)) {
          const shown = one.read(program, account)
          if (shown === undefined || shown.time + one.delay > clock) continue
          found.push({ kind: one.kind, account: account.address, rentPayer: shown.rentPayer })
        }
      }
    }
    return found
  }
}

/** The windows to list. Each is given by its distance from the current window. */
const windowsBefore = (older: number): number[] => [
  ...Array.from({ length: NEWEST_WINDOWS }, (_, past) => past),
  ...Array.from(
    { length: OLDER_AT_ONCE },
    (_, at) => NEWEST_WINDOWS + ((older + at) % OLDER_WINDOWS),
  ),
]

/** The filter for the accounts that became closable in a window. */
function timeIn({ timeAt, delay }: ClosableKind, clock: UnixSeconds, past: number) {
  const bytes = new Uint8Array(8)
  const time = clock - delay - BigInt(past) * WINDOW_SECONDS
  new DataView(bytes.buffer).setBigInt64(0, time, true)
  return { offset: timeAt + WINDOW_AT, bytes: bytes.subarray(WINDOW_AT, WINDOW_AT + 2) }
}
