import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'
import { poseidon4 } from 'poseidon-lite/poseidon4'
import { poseidon5 } from 'poseidon-lite/poseidon5'
import {
  MAX_DEPOSIT_SECONDS,
  MAX_LIFE_SECONDS,
  REFUND_WINDOW_SECONDS,
  TREE_LEVELS,
  hashMessage,
  hashNote,
  rootAbove,
  type Note,
  type Point,
  type SettleInput,
  type Signature,
} from '../settle-input.ts'
import { A, BASE8, ORDER_2, SUBGROUP_ORDER } from './baby-jubjub.ts'
import { FIELD, invert, mod } from '../r1cs.ts'
import { BALANCE, PAYMENT, PLACE, TRANSFER, deliver, pay, refund, signAs } from './sample-notes.ts'
import { FREE_OWNER, signFreely } from './sign-freely.ts'

const { expiry, sender, value } = TRANSFER
const { recipient, amountOut } = TRANSFER.claim
const LAST_TIME = 2n ** 40n - 1n
const BEYOND = 2n ** 64n

const delivery = deliver(expiry)
const repayment = refund(expiry + 1n)
const payment = pay()

const asSigned = ({ S, R8 }: Signature) => ({ S, R8x: R8[0], R8y: R8[1] })

/** The sample payment with these changes. By default, the owner of the sample balance signs the result. */
export function signedAfter(changes: Partial<SettleInput>, sign = signAs()): SettleInput {
  const input = { ...payment, ...changes }
  return { ...input, ...asSigned(sign(hashMessage(input))) }
}

/** The input with a new root and a new change leaf, which fit the note in the input. */
function refitted(input: SettleInput): SettleInput {
  const claim = poseidon4([1n + input.isBalance, ...(input.claim as [bigint, bigint, bigint])])
  const senderHash = poseidon2([input.senderHi, input.senderLo])
  const { deadline, changeDeadline, expiry: end } = input
  const leafOf = (amount: bigint, nk: bigint, from: bigint) => {
    const inner = poseidon3([nk, claim, mod(end + from - deadline)])
    return poseidon5([input.assetHash, mod(amount), from, senderHash, inner])
  }
  const total = input.payout + input.fee + input.change
  const root = rootAbove(leafOf(total, input.nk, deadline), input)
  return { ...input, root, changeLeaf: leafOf(input.change, input.changeNk, changeDeadline) }
}

/** The sample balance with this owner. */
const owned = (owner: Point): Note => ({ ...BALANCE, claim: { kind: 'balance', owner } })

/**
 * A point off the curve that has the same double as the given point on the curve. Only the check that the owner is on
 * the curve distinguishes the two points.
 */
function shadowOf([x, y]: Point): Point {
  const root = squareRoot(mod(-A))
  return [mod(y * invert(root)), mod(root * x)]
}

/** A square root by Tonelli and Shanks. 5 is not a square in this field, and the field's order is 1 modulo 2^28. */
function squareRoot(square: bigint): bigint {
  const power = (base: bigint, exponent: bigint) => {
    let [result, factor] = [1n, base]
    for (let rest = exponent; rest > 0n; rest >>= 1n) {
      if (rest & 1n) result = mod(result * factor)
      factor = mod(factor * factor)
    }
    return result
  }
  const odd = (FIELD - 1n) >> 28n
  let [size, generator] = [28, power(5n, odd)]
  let [rest, result] = [power(square, odd), power(square, (odd + 1n) / 2n)]
  while (rest !== 1n) {
    let order = 0
    for (let at = rest; at !== 1n; at = mod(at * at)) order += 1
    const factor = power(generator, 1n << BigInt(size - order - 1))
    ;[size, generator] = [order, mod(factor * factor)]
    ;[rest, result] = [mod(rest * generator), mod(result * factor)]
  }
  return result
}

const shadow = shadowOf(FREE_OWNER)

// In this tree, the two halves are equal, so swapping the topmost pairs gives the same root. A larger index would give
// the note a second nullifier. Only the limited range of the index prevents this.
const top = 3 * (TREE_LEVELS - 1)
const half = rootAbove(hashNote(TRANSFER), { ...PLACE, path: PLACE.path.slice(0, top) })
const isSecond = (PLACE.leafIndex >> BigInt(2 * (TREE_LEVELS - 1))) & 1n
const beside = PLACE.path[top]!
const mirrored = isSecond === 1n ? [beside, half] : [half, beside]
const farPlace = {
  leafIndex: PLACE.leafIndex + 2n ** 26n,
  path: [...PLACE.path.slice(0, top + 1), ...mirrored],
}

/** For each rule, inputs that break only the constraint of this rule. */
export const VIOLATIONS: Record<string, SettleInput[]> = {
  membership: [
    { ...delivery, root: delivery.root + 1n },
    { ...delivery, fee: delivery.fee + 1n },
    { ...delivery, path: delivery.path.with(38, 1n) },
    { ...deliver(expiry + 1n, { ...TRANSFER, expiry: expiry + 1n }), root: delivery.root },
    { ...refund(expiry, { ...TRANSFER, expiry: expiry - 1n }), root: repayment.root },
    { ...deliver(1n, { ...TRANSFER, deadline: 1_800_000_000n }), root: delivery.root },
    { ...deliver(1n, { ...TRANSFER, assetHash: 7n }), root: delivery.root },
    { ...deliver(1n, { ...TRANSFER, nk: 1n }), root: delivery.root },
    {
      ...deliver(1n, TRANSFER, { ...PLACE, leafIndex: PLACE.leafIndex ^ 1n }),
      root: delivery.root,
    },
    // The recipient, amount, sender or owner of another note.
    {
      ...deliver(1n, { ...TRANSFER, claim: { ...TRANSFER.claim, recipient: sender } }),
      root: delivery.root,
    },
    {
      ...deliver(1n, { ...TRANSFER, claim: { ...TRANSFER.claim, amountOut: value } }),
      root: delivery.root,
    },
    { ...refund(expiry + 1n, { ...TRANSFER, sender: recipient }), root: repayment.root },
    { ...pay({ sign: signFreely() }, owned(FREE_OWNER)), root: payment.root },
    // A transfer opened as a balance, and a balance opened as a transfer.
    { ...payment, root: delivery.root },
    { ...delivery, root: payment.root },
  ],
  nullifier: [{ ...delivery, nullifier: 1n }, signedAfter({ nullifier: 1n })],
  'range of the payout': [
    deliver(1n, {
      ...TRANSFER,
      value: BEYOND,
      claim: { ...TRANSFER.claim, amountOut: BEYOND },
    }),
    refund(expiry + 1n, { ...TRANSFER, value: BEYOND }),
  ],
  'range of the fee': [
    deliver(1n, { ...TRANSFER, value: amountOut + BEYOND }),
    refitted({ ...delivery, fee: FIELD - 1n }),
  ],
  'range of the change': [
    pay({}, { ...BALANCE, value: payment.payout + payment.fee + BEYOND }),
    signedAfter(refitted({ ...payment, payout: value, change: FIELD - payment.fee })),
  ],
  'kind is a bit': [refitted({ ...refund(expiry + 1n, BALANCE), isBalance: 2n })],
  'leaf of the change': [
    { ...delivery, changeLeaf: 1n },
    { ...repayment, changeLeaf: hashNote({ ...TRANSFER, value: 1n, nk: repayment.changeNk }) },
    ...[
      { assetHash: 7n },
      { deadline: BALANCE.deadline + 600n },
      { deadline: BALANCE.deadline + 600n, expiry: BALANCE.expiry + 600n },
      { sender: recipient },
      { claim: TRANSFER.claim },
      { expiry: expiry + 1n },
      { value: payment.change + 1n },
    ].map((changes) => {
      const rest = { ...BALANCE, value: payment.change, nk: payment.changeNk }
      return signedAfter({ changeLeaf: hashNote({ ...rest, ...changes }) })
    }),
  ],
  'whole refund': [
    refitted({ ...repayment, payout: repayment.payout - 1n, fee: 1n }),
    refitted({ ...repayment, payout: repayment.payout - 1n, change: 1n }),
  ],
  'upper half of the sender': [{ ...repayment, payeeHi: recipient.hi }],
  'lower half of the sender': [{ ...repayment, payeeLo: recipient.lo }],
  'upper half of the recipient': [{ ...delivery, payeeHi: sender.hi }],
  'lower half of the recipient': [{ ...delivery, payeeLo: sender.lo }],
  'amount of a transfer': [
    refitted({ ...delivery, payout: delivery.payout - 1n, fee: delivery.fee + 1n }),
    refitted({ ...delivery, payout: delivery.payout + 1n, fee: delivery.fee - 1n }),
  ],
  'transfer without change': [refitted({ ...delivery, fee: delivery.fee - 1n, change: 1n })],
  'balance without an amount': [
    refitted({ ...refund(expiry + 1n, BALANCE), claim: [...BALANCE.claim.owner, 1n] }),
    signedAfter(refitted({ ...payment, claim: [...BALANCE.claim.owner, 1n] })),
  ],
  'owner on the curve': [pay({ sign: signFreely({ owner: shadow }) }, owned(shadow))],
  'R8 on the curve': [{ ...delivery, R8x: 5n, R8y: 7n }],
  'owner of full order': [
    pay({ sign: () => ({ S: 1n, R8: BASE8 }) }, owned([0n, 1n])),
    pay({ sign: () => ({ S: 1n, R8: BASE8 }) }, owned(ORDER_2)),
  ],
  'S below the order': [{ ...payment, S: payment.S + SUBGROUP_ORDER }],
  'signature, first coordinate': [pay({ sign: signFreely({ sign: -1n }) }, owned(FREE_OWNER))],
  'signature, second coordinate': [
    pay({ sign: signFreely({ sign: -1n, shift: ORDER_2 }) }, owned(FREE_OWNER)),
  ],
  'range of the time': [
    refund(LAST_TIME + 1n, { ...TRANSFER, deadline: LAST_TIME, expiry: LAST_TIME }),
  ],
  // This deadline is negative. A deadline that is too late would also break the range of the change's deadline.
  'range of the deadline': [
    signedAfter(
      refitted({
        ...pay({ time: 600n, validUntil: 600n }, { ...BALANCE, deadline: 0n, expiry: 1_000n }),
        deadline: FIELD - 600n,
      }),
    ),
  ],
  'range of the expiry': [
    deliver(1n, { ...TRANSFER, deadline: LAST_TIME, expiry: LAST_TIME + 1n }),
  ],
  'range of the last time': [pay({ validUntil: LAST_TIME + 1n })],
  'longest life': [
    deliver(1n, { ...TRANSFER, expiry: TRANSFER.deadline + MAX_LIFE_SECONDS + 1n }),
    pay({}, { ...BALANCE, expiry: BALANCE.deadline + MAX_LIFE_SECONDS + 1n }),
  ],
  'side of the expiry': [
    deliver(expiry + 1n),
    refund(expiry),
    refund(0n),
    pay({ time: expiry + 1n, validUntil: expiry + 1n }),
  ],
  'refund window': [
    refund(expiry + REFUND_WINDOW_SECONDS + 1n),
    refund(expiry + REFUND_WINDOW_SECONDS + 1n, BALANCE),
  ],
  'last time of a payment': [pay({ time: BALANCE.deadline + 1n, validUntil: BALANCE.deadline })],
  'range of the new deadline': [
    pay(
      { time: LAST_TIME - 600n, validUntil: LAST_TIME, changeDeadline: LAST_TIME + 1n },
      { ...BALANCE, deadline: LAST_TIME, expiry: LAST_TIME - 600n },
    ),
  ],
  'only a payment postpones times': [
    refitted({ ...delivery, changeDeadline: delivery.deadline + 600n }),
    refitted({ ...repayment, changeDeadline: repayment.deadline + 600n }),
    refitted({
      ...refund(expiry + 1n, BALANCE),
      changeDeadline: BALANCE.deadline + 600n,
    }),
  ],
  'no earlier deadline': [
    pay({ changeDeadline: BALANCE.deadline - 1n }),
    // Here the expiry of the change would be negative.
    signedAfter(
      refitted({
        ...pay({ time: 0n, validUntil: 0n }, { ...BALANCE, deadline: 600n, expiry: 0n }),
        changeDeadline: 599n,
      }),
    ),
  ],
  'farthest new deadline': [
    pay({ changeDeadline: PAYMENT.time + MAX_DEPOSIT_SECONDS + 1n }),
    pay({ time: BALANCE.deadline - MAX_DEPOSIT_SECONDS - 1n }),
  ],
  'range of the index': [deliver(1n, TRANSFER, farPlace)],
}
