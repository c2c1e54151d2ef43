import {
  addressHalves,
  eddsaVerify,
  MAX_DEPOSIT_SECONDS,
  MAX_LIFE_SECONDS,
  REFUND_WINDOW_SECONDS,
  rootOfPath,
  type SettleInputs,
  type Settlement,
  U64_MAX,
} from '@sotto/protocol'
import { quickHash } from './quick-hash.ts'

type Statement = Pick<
  SettleInputs,
  | 'root'
  | 'nullifier'
  | 'assetHash'
  | 'payout'
  | 'fee'
  | 'payeeHi'
  | 'payeeLo'
  | 'time'
  | 'refund'
  | 'changeLeaf'
>

type Verify = Parameters<typeof eddsaVerify>
type Verified = [owner: Verify[1], message: Verify[2], signature: Verify[3]]

const seal = (s: Statement): bigint =>
  quickHash([
    ...[s.root, s.nullifier, s.assetHash, s.payout, s.fee],
    ...[s.payeeHi, s.payeeLo, s.time, s.refund, s.changeLeaf],
  ])

const encode = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(256)
  bytes.set(new TextEncoder().encode(value.toString(16)))
  return bytes
}

/**
 * Replaces the prover: checks the constraints of the `settle` circuit and returns a fake proof of the public inputs.
 * @throws Error if the witness doesn't satisfy the constraints, because then no proof exists.
 */
export function quickProof(w: SettleInputs): Uint8Array {
  const { leaf, changeLeaf } = leavesOf(w)
  const holds =
    (w.isBalance === 0n || w.claim[2] === 0n) &&
    w.root === rootOfPath(quickHash, leaf, w.leafIndex, w.path) &&
    w.nullifier === quickHash([w.nk, w.leafIndex]) &&
    w.changeLeaf === changeLeaf &&
    w.expiry <= w.deadline + MAX_LIFE_SECONDS &&
    w.changeDeadline >= w.deadline &&
    (w.refund === 0n && w.isBalance === 1n
      ? w.changeDeadline <= w.time + MAX_DEPOSIT_SECONDS
      : w.changeDeadline === w.deadline) &&
    isWhole(w.payout) &&
    isWhole(w.fee) &&
    isWhole(w.change) &&
    (w.refund === 1n ? isRefund(w) : w.time <= w.expiry && pays(w))
  if (!holds) throw new Error('the witness does not satisfy the circuit')
  return encode(seal(w))
}

/** Computes the leaf of the note and the leaf of the note's change. */
function leavesOf(w: SettleInputs): { readonly leaf: bigint; readonly changeLeaf: bigint } {
  const senderHash = quickHash([w.senderHi, w.senderLo])
  const claim = quickHash([1n + w.isBalance, ...w.claim])
  const leafOf = (value: bigint, nk: bigint, deadline: bigint) => {
    const inner = quickHash([nk, claim, w.expiry + deadline - w.deadline])
    return quickHash([w.assetHash, value, deadline, senderHash, inner])
  }
  const leaf = leafOf(w.payout + w.fee + w.change, w.nk, w.deadline)
  return { leaf, changeLeaf: leafOf(w.change, w.changeNk, w.changeDeadline) }
}

const isWhole = (value: bigint): boolean => value >= 0n && value <= U64_MAX

const isRefund = (w: SettleInputs): boolean =>
  w.payeeHi === w.senderHi &&
  w.payeeLo === w.senderLo &&
  w.fee === 0n &&
  w.change === 0n &&
  w.expiry < w.time &&
  w.time <= w.expiry + REFUND_WINDOW_SECONDS

const pays = (w: SettleInputs): boolean => (w.isBalance === 1n ? isSigned(w) : isDelivery(w))

const isDelivery = (w: SettleInputs): boolean =>
  w.payeeHi === w.claim[0] && w.payeeLo === w.claim[1] && w.payout === w.claim[2] && w.change === 0n

/**
 * True if the balance's owner has signed the payment, and the settlement's time isn't later than the signature's
 * expiry.
 */
function isSigned(w: SettleInputs): boolean {
  const [x = 0n, y = 0n] = w.claim
  const message = quickHash([
    ...[w.nullifier, w.payeeHi, w.payeeLo, w.payout, w.fee, w.changeLeaf, w.validUntil],
  ])
  const signature = { S: w.S, R8: { x: w.R8x, y: w.R8y } }
  return w.time <= w.validUntil && isVerified({ x, y }, message, signature)
}

/**
 * Results of signature checks. A result's key in the map contains all numbers of the owner's key, the message and the
 * signature. The results are kept, because several proofs use one signature, and checking a signature takes longer than
 * the rest of a proof.
 */
const verified = new Map<string, boolean>()
const VERIFIED_MAX = 1_000

function isVerified(...[owner, message, signature]: Verified): boolean {
  const { S, R8 } = signature
  const key = [owner.x, owner.y, message, S, R8.x, R8.y].join(' ')
  const known = verified.get(key)
  if (known !== undefined) return known
  const isValid = eddsaVerify(quickHash, owner, message, signature)
  if (verified.size >= VERIFIED_MAX) verified.clear()
  verified.set(key, isValid)
  return isValid
}

/** True if the proof attests this settlement under this root. */
export function proves(settlement: Settlement, root: bigint, assetHash: bigint): boolean {
  const { hi: payeeHi, lo: payeeLo } = addressHalves(settlement.payee)
  const refund = settlement.isRefund ? 1n : 0n
  const expected = encode(seal({ ...settlement, root, assetHash, payeeHi, payeeLo, refund }))
  return Buffer.compare(expected, settlement.proof) === 0
}
