import {
  addressHalves,
  REFUND_WINDOW_SECONDS,
  rootOfPath,
  type SettleInputs,
  type Settlement,
} from '@sotto/protocol'
import { quickHash } from './quick-hash.ts'

type Statement = Pick<
  SettleInputs,
  'root' | 'nullifier' | 'assetHash' | 'amount' | 'feeBack' | 'payeeHi' | 'payeeLo' | 'time'
> & { readonly refund: bigint }

const seal = (s: Statement): bigint =>
  quickHash([
    s.root,
    s.nullifier,
    s.assetHash,
    s.amount,
    s.feeBack,
    s.payeeHi,
    s.payeeLo,
    s.time,
    s.refund,
  ])

const encode = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(256)
  bytes.set(new TextEncoder().encode(value.toString(16)))
  return bytes
}

/**
 * Checks the constraints of the `settle` circuit, and attests the public inputs. @throws Error if the witness
 * doesn't satisfy them, because then no proof exists.
 */
export function quickProof(w: SettleInputs): Uint8Array {
  const isRefund = w.refund === 1n
  const inner = quickHash([w.nk, w.recipientHi, w.recipientLo])
  const senderHash = quickHash([w.senderHi, w.senderLo])
  const leaf = quickHash([w.assetHash, w.amount, w.fee, w.expiry, senderHash, inner])
  const isPayee = isRefund
    ? w.payeeHi === w.senderHi && w.payeeLo === w.senderLo
    : w.payeeHi === w.recipientHi && w.payeeLo === w.recipientLo
  const isTime = isRefund
    ? w.expiry < w.time && w.time <= w.expiry + REFUND_WINDOW_SECONDS
    : w.time <= w.expiry
  const holds =
    w.root === rootOfPath(quickHash, leaf, w.leafIndex, w.path) &&
    w.nullifier === quickHash([w.nk, w.leafIndex]) &&
    w.feeBack === (isRefund ? w.fee : 0n) &&
    isPayee &&
    isTime
  if (!holds) throw new Error('the witness does not satisfy the circuit')
  return encode(seal(w))
}

/** True if the proof attests this settlement under this root. */
export function proves(settlement: Settlement, root: bigint, assetHash: bigint): boolean {
  const { hi: payeeHi, lo: payeeLo } = addressHalves(settlement.payee)
  const { nullifier, amount, feeBack, time, isRefund } = settlement
  const refund = isRefund ? 1n : 0n
  const expected = encode(
    seal({ root, nullifier, assetHash, amount, feeBack, payeeHi, payeeLo, time, refund }),
  )
  return Buffer.compare(expected, settlement.proof) === 0
}
