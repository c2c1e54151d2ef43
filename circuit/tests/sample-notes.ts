import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'
import { derivePublicKey, signMessage } from '../eddsa.ts'
import {
  type Note,
  type Payment,
  type Place,
  type SettleInput,
  type Settlement,
  type Signature,
  TREE_LEVELS,
  makeSettleInput,
} from '../settle-input.ts'

const OWNER_KEY = 'the private key of a sample owner'

/** Signs as the owner of the sample balance. With another key, signs as a stranger. */
export const signAs =
  (key: string = OWNER_KEY) =>
  (message: bigint): Signature =>
    signMessage(key, message)

/**
 * A transfer with realistic amounts. All fields have different values, so a test fails if the code confuses two fields.
 */
export const TRANSFER = {
  assetHash: poseidon3([
    0x0102030405060708090a0b0c0d0e0f10n,
    ...[0x069b8857feab8184fb687f634618c035n, 0xdac439dc1aeb3b5598a0f00000000001n],
  ]),
  value: 1_253_755_000n,
  deadline: 1_799_997_000n,
  expiry: 1_800_000_600n,
  nk: 0x1f2e3d4c5b6a79880102030405060708090a0b0c0d0e0f101112131415161718n,
  sender: { hi: 0xc1c2c3c4c5c6c7c8c9cacbcccdcecfd0n, lo: 0xd1d2d3d4d5d6d7d8d9dadbdcdddedfe0n },
  claim: {
    kind: 'transfer',
    recipient: { hi: 0xa1a2a3a4a5a6a7a8a9aaabacadaeafb0n, lo: 0xb1b2b3b4b5b6b7b8b9babbbcbdbebfc0n },
    amountOut: 1_250_000_000n,
  },
} satisfies Note

/** A balance that differs from the transfer only in its claim. */
export const BALANCE = {
  ...TRANSFER,
  claim: { kind: 'balance', owner: derivePublicKey(OWNER_KEY) },
} satisfies Note

/** A place in the middle of the tree. Its index contains both zeros and ones, and all siblings differ. */
export const PLACE: Place = {
  leafIndex: 0b10_1101_0010_1011_0110_1100_1101n,
  path: Array.from({ length: 3 * TREE_LEVELS }, (_, at) => poseidon2([7n, BigInt(at)])),
}

/** A payment out of the balance that leaves change. */
export const PAYMENT: Payment & { time: bigint } = {
  time: TRANSFER.expiry - 600n,
  payee: { hi: 0xe1e2e3e4e5e6e7e8e9eaebecedeeeff0n, lo: 0xf1f2f3f4f5f6f7f8f9fafbfcfdfeff00n },
  payout: 900_000_000n,
  fee: 2_755_000n,
  changeNk: 0x2f2e3d4c5b6a79880102030405060708090a0b0c0d0e0f101112131415161718n,
  validUntil: TRANSFER.expiry - 60n,
  sign: signAs(),
}

/** The inputs of each kind of settlement; the sample notes are the default. */
export const deliver = (time: bigint, note: Note = TRANSFER, place = PLACE): SettleInput =>
  makeSettleInput(note, place, { kind: 'deliver', time })

export const refund = (time: bigint, note: Note = TRANSFER, place = PLACE): SettleInput =>
  makeSettleInput(note, place, { kind: 'refund', time })

export const pay = (
  changes: Partial<typeof PAYMENT> = {},
  note: Note = BALANCE,
  place = PLACE,
): SettleInput => {
  const settlement: Settlement = { kind: 'pay', ...PAYMENT, ...changes }
  return makeSettleInput(note, place, settlement)
}
