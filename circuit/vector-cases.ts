// The notes and settlements of `vectors/circuit.json`.
import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'
import { poseidon4 } from 'poseidon-lite/poseidon4'
import { derivePublicKey, packPublicKey, signMessage } from './eddsa.ts'
import {
  type Halves,
  type Note,
  type Place,
  type SettleInput,
  REFUND_WINDOW_SECONDS,
  TREE_LEVELS,
  hashNullifier,
  makeSettleInput,
} from './settle-input.ts'

/** A settlement. `payee` is present if the owner signed it. */
export interface Case {
  name: string
  kind: 'deliver' | 'refund' | 'pay'
  note: keyof typeof NOTES
  payee?: string
  input: SettleInput
}

const EXPIRY = 1_800_000_600n
const DEADLINE = 1_799_998_200n
/** The balance lives for ten days. */
const BALANCE_EXPIRY = DEADLINE + 864_000n
/** The start of the first day after the deadline. A payment postpones the deadline to this time. */
const NEXT_DAY = 1_800_057_600n

const bytesFrom = (first: number) =>
  Buffer.from(Array.from({ length: 32 }, (_, at) => (first + at * 7) & 0xff)).toString('hex')

const halvesOf = (hex: string): Halves => ({
  hi: BigInt(`0x${hex.slice(0, 32)}`),
  lo: BigInt(`0x${hex.slice(32)}`),
})

/** The pool's domain, below the field's modulus. */
export const DOMAIN = bytesFrom(0x1b)

/** The private key of the balance's owner. */
export const OWNER_KEY = bytesFrom(0x77)

/** The secret of the balance's owner. The keys of change notes are derived from it. */
export const SECRET = 0x0a1b2c3d4e5f60718293a4b5c6d7e8f90102030405060708090a0b0c0d0e0f10n

export const ADDRESSES = {
  mint: bytesFrom(0x06),
  recipient: bytesFrom(0x41),
  sender: bytesFrom(0x83),
  payee: bytesFrom(0xc5),
}

const ownerKey = Buffer.from(OWNER_KEY, 'hex')
const mint = halvesOf(ADDRESSES.mint)
const common = {
  assetHash: poseidon3([BigInt(`0x${DOMAIN}`), mint.hi, mint.lo]),
  deadline: DEADLINE,
  expiry: EXPIRY,
  sender: halvesOf(ADDRESSES.sender),
}

export const NOTES = {
  transfer: {
    ...common,
    value: 1_253_755_000n,
    nk: 0x1f2e3d4c5b6a79880102030405060708090a0b0c0d0e0f101112131415161718n,
    claim: {
      kind: 'transfer',
      recipient: halvesOf(ADDRESSES.recipient),
      amountOut: 1_250_000_000n,
    },
  },
  balance: {
    ...common,
    value: 5_000_000_000n,
    expiry: BALANCE_EXPIRY,
    nk: 0x2e3d4c5b6a79880102030405060708090a0b0c0d0e0f10111213141516171819n,
    claim: { kind: 'balance', owner: derivePublicKey(ownerKey) },
  },
} satisfies Record<string, Note>

/** The balance's owner in the form that tickets and payloads contain: packed to 32 bytes, little-endian. */
export const PACKED_OWNER = Buffer.from(
  packPublicKey(NOTES.balance.claim.owner).toString(16).padStart(64, '0'),
  'hex',
)
  .reverse()
  .toString('hex')

/** The siblings of the first leaf in a tree without other leaves. */
function emptyPath(): bigint[] {
  const path: bigint[] = []
  for (let level = 0, node = 0n; level < TREE_LEVELS; level++) {
    path.push(node, node, node)
    node = poseidon4([node, node, node, node])
  }
  return path
}

const first: Place = { leafIndex: 0n, path: emptyPath() }
const middle: Place = {
  leafIndex: 0b10_1101_0010_1011_0110_1100_1101n,
  path: Array.from({ length: 3 * TREE_LEVELS }, (_, at) => poseidon2([7n, BigInt(at)])),
}

function settle(
  name: string,
  kind: 'deliver' | 'refund',
  note: Case['note'],
  at: { place: Place; time: bigint },
): Case {
  const { place, time } = at
  return { name, kind, note, input: makeSettleInput(NOTES[note], place, { kind, time }) }
}

function pay(
  name: string,
  amounts: { payout: bigint; fee: bigint },
  at: { place: Place; time: bigint; validUntil: bigint; changeDeadline: bigint },
): Case {
  const note = NOTES.balance
  const { place, ...times } = at
  const { payee } = ADDRESSES
  const changeNk = poseidon2([SECRET, hashNullifier(note, place.leafIndex)])
  const sign = (message: bigint) => signMessage(ownerKey, message)
  const payment = { ...amounts, ...times, payee: halvesOf(payee), changeNk, sign }
  const input = makeSettleInput(note, place, { kind: 'pay', ...payment })
  return { name, kind: 'pay', note: 'balance', payee, input }
}

const last = { place: middle, time: EXPIRY + REFUND_WINDOW_SECONDS }

/** All ways to settle a note. A delivery comes first. */
export const CASES: Case[] = [
  settle('delivery of the first leaf', 'deliver', 'transfer', {
    place: first,
    time: EXPIRY - 600n,
  }),
  settle('delivery at the expiry', 'deliver', 'transfer', { place: middle, time: EXPIRY }),
  settle('refund of the first leaf', 'refund', 'transfer', { place: first, time: EXPIRY + 600n }),
  settle('refund at the end of the window', 'refund', 'transfer', last),
  pay(
    'payment that leaves change with later times',
    { payout: 2_000_000_000n, fee: 6_005_000n },
    {
      place: first,
      time: NEXT_DAY - 600n,
      validUntil: NEXT_DAY + 600n,
      changeDeadline: NEXT_DAY,
    },
  ),
  pay(
    'payment of all, at the last time',
    { payout: 4_984_995_000n, fee: 15_005_000n },
    {
      place: middle,
      time: EXPIRY - 1_200n,
      validUntil: EXPIRY - 1_200n,
      changeDeadline: DEADLINE,
    },
  ),
  settle('refund of a balance, unsigned', 'refund', 'balance', {
    place: middle,
    time: BALANCE_EXPIRY + REFUND_WINDOW_SECONDS,
  }),
]
