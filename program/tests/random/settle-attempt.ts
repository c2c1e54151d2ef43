import { getAddressEncoder, type Address, type Instruction } from '@solana/kit'
import {
  FIELD_MODULUS,
  fieldToBytes,
  NULLIFIER_BYTES,
  SKEW_SECONDS,
  type Settlement,
} from '@sotto/protocol'
import { withAccount, withBytes, withFlippedBit } from '../fixtures/instruction-edits.ts'
import { bytesBeyondModulus } from '../fixtures/settlements.ts'
import { reasonsOf, type Attempt, type Refusal, type Run } from './attempt.ts'
import { count } from './history.ts'
import { appendLeaf, move, rootAt, type Model } from './model.ts'
import type { PreparedSettlement } from './snapshot-shape.ts'
import type { SettleStep, SettleTampering } from './steps.ts'

const NULLIFIER_SECONDS = SKEW_SECONDS + 3_600n + 2_595_600n + 2_592_000n + SKEW_SECONDS + 86_400n
/** Offsets of the fields in the instruction's data. */
const AT = { nullifier: 5, payout: 37, fee: 45, payee: 53, changeLeaf: 85, time: 117, proof: 125 }

/** A settlement as it was sent. */
interface Sent extends Settlement {
  readonly isRefund: boolean
  readonly tampering: SettleTampering | undefined
}

/** The settlement transaction of a step. */
export function settleAttempt(run: Run, step: SettleStep): Attempt {
  const { snapshot, model } = run
  const prepared = choose(run, step)
  const { tampering } = step
  const root = placeOf(run, step)
  const sent = { ...tamper(prepared, tampering), root, tampering }
  const { asset, note } = prepared
  const target = model.assets[asset]
  const reasons = settleReasons(model, sent, prepared.root)
  if (target.owed < sent.payout + sent.fee) reasons.add('OwedShort')
  return {
    signers: [snapshot.world.actors.relayer],
    instructions: [instructionOf(prepared, sent)],
    reasons,
    payees: [prepared.pocket],
    apply: () => applySettlement(run, prepared, sent),
    record: (history) => {
      count(history.settlements, BigInt(note))
      history.open[asset] -= sent.payout + sent.fee
      const { pocket: account, expiry } = prepared
      history.paid.push({ account, payout: sent.payout })
      const isLate = sent.isRefund ? model.clock <= expiry : model.clock > expiry
      if (isLate) history.lateness = 'a settlement on the wrong side of its expiry'
    },
  }
}

/** Chooses a proof for the step. If the step requires a valid time, prefers a proof that can land now. */
function choose({ snapshot, model }: Run, step: SettleStep): PreparedSettlement {
  const { clock } = model
  const timely = snapshot.settlements.filter(({ settlement: { isRefund, time, nullifier } }) => {
    const isTime = isRefund
      ? time <= clock && clock <= time + SKEW_SECONDS
      : clock <= time && time <= clock + SKEW_SECONDS
    return isTime && !model.nullifiers.has(nullifier)
  })
  const choice = step.isTimely && timely.length > 0 ? timely : snapshot.settlements
  return choice[step.proof % choice.length] as PreparedSettlement
}

function placeOf({ snapshot }: Run, step: SettleStep): Settlement['root'] {
  if (step.root === 'checkpoint') return { kind: 'checkpoint', index: snapshot.checkpoint }
  const newest = snapshot.orders.length - 1
  const other = newest + 1 + (step.proof % 3)
  return { kind: 'recent', index: step.root === 'recent' ? newest : other }
}

/** The settlement with the tampering applied to its fields. */
function tamper({ settlement, another }: PreparedSettlement, what: SettleTampering | undefined) {
  const plus = <T extends bigint>(value: T, more: bigint) => (value + more) as T
  switch (what) {
    case 'payout':
      return { ...settlement, payout: plus(settlement.payout, 1n) }
    case 'payee':
      return { ...settlement, payee: another.thief }
    case 'time':
      return { ...settlement, time: plus(settlement.time, 600n) }
    case 'nullifier':
      return { ...settlement, nullifier: another.nullifier }
    case 'fee':
      return { ...settlement, fee: plus(settlement.fee, 1n) }
    case 'change':
      return { ...settlement, changeLeaf: another.changeLeaf }
    case 'other kind':
      return { ...settlement, isRefund: !settlement.isRefund }
    case 'proof':
    case 'modulus':
    case 'undefined flag':
    case undefined:
      return settlement
  }
}

/** The reasons to refuse a settlement, according to docs/protocol.md. The caller adds `OwedShort`. */
function settleReasons(model: Model, sent: Sent, proved: Uint8Array): Set<Refusal> {
  const { clock } = model
  const { isRefund, time, tampering } = sent
  const root = rootAt(model, sent.root.kind, sent.root.index)
  const isZero = root.every((byte) => byte === 0)
  const isTampered = tampering !== undefined && tampering !== 'undefined flag'
  return reasonsOf([
    [tampering === 'undefined flag', 'InvalidInstructionData'],
    [tampering === 'modulus', 'NotAFieldElement'],
    [!isRefund && clock > time, 'SettlementTimePassed'],
    [!isRefund && time > clock + SKEW_SECONDS, 'SettlementTimeTooFar'],
    [isRefund && (time > clock || clock > time + SKEW_SECONDS), 'RefundTimeOutOfRange'],
    [model.nullifiers.has(sent.nullifier), 'NullifierSpent'],
    [isZero, 'RootUnknown'],
    [isTampered || Buffer.compare(root, proved) !== 0, 'ProofInvalid'],
  ])
}

function instructionOf(prepared: PreparedSettlement, sent: Sent): Instruction {
  const { tampering, root } = sent
  const data = new Uint8Array(prepared.instruction.data ?? [])
  const view = new DataView(data.buffer)
  data[1] = sent.isRefund ? 1 : 0
  data[2] = root.kind === 'recent' ? 0 : 1
  view.setUint16(3, root.index, true)
  data.set(fieldToBytes(sent.nullifier), AT.nullifier)
  view.setBigUint64(AT.payout, sent.payout, true)
  view.setBigUint64(AT.fee, sent.fee, true)
  data.set(fieldToBytes(sent.changeLeaf), AT.changeLeaf)
  view.setBigUint64(AT.time, sent.time, true)
  const { another, instruction } = prepared
  const edited = { ...instruction, data }
  switch (tampering) {
    case 'proof':
      return withFlippedBit(edited, AT.proof + 255)
    case 'undefined flag':
      return withBytes(edited, 1, Uint8Array.of(2 | (sent.isRefund ? 1 : 0)))
    case 'modulus':
      return withBytes(edited, AT.nullifier, bytesBeyondModulus(sent.nullifier, FIELD_MODULUS))
    case 'nullifier':
      return withAccount(edited, 5, another.nullifierAccount)
    case 'payee': {
      const payee = withBytes(
        edited,
        AT.payee,
        new Uint8Array(getAddressEncoder().encode(sent.payee)),
      )
      return withAccount(payee, 6, another.thiefPocket)
    }
    case 'payout':
    case 'time':
    case 'fee':
    case 'change':
    case 'other kind':
    case undefined:
      return edited
  }
}

/** Applies the effect of a landed settlement to the model. */
function applySettlement({ model, snapshot }: Run, prepared: PreparedSettlement, sent: Sent): void {
  const { asset, pocket, nullifierAccount: account } = prepared
  const { relayer } = snapshot.world.actors
  const books = model.assets[asset]
  books.owed -= sent.payout + sent.fee
  books.fees += sent.fee
  move(model, snapshot.world.vaults[asset], pocket, sent.payout)
  pay(model, relayer.address, -snapshot.world.fixture.chain.rentMinimum(NULLIFIER_BYTES))
  const closableAt = model.clock + NULLIFIER_SECONDS
  model.nullifiers.set(sent.nullifier, { account, closableAt, rentPayer: relayer.address })
  appendLeaf(model, sent.changeLeaf)
}

/**
 * Changes a wallet's balance by the rent of an account: negative if the wallet pays it, positive if the wallet gets it
 * back.
 */
export function pay(model: Model, who: Address, change: bigint): void {
  const before = model.money.get(who)
  if (before === undefined) throw new Error(`the model does not know ${who}`)
  model.money.set(who, before + change)
}
