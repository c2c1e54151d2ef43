import { TRANSACTION_BYTES_MAX } from '../fixtures/chain.ts'
import type { Attempt, Run } from './attempt.ts'
import { cloneModel } from './model.ts'
import { sentAttempt } from './sent-attempt.ts'
import type { SentStep, Step } from './steps.ts'

const isUnsigned = (step: SentStep) => 'by' in step && step.by === 'unsigned'

/**
 * A transaction with the instructions of two steps, or of one step if the two can't share a transaction. The model runs
 * the second step after the first step. If one of the two instructions is refused, neither instruction has an effect.
 */
export async function pairAttempt(
  run: Run,
  { first, second }: Extract<Step, { kind: 'pair' }>,
): Promise<Attempt | undefined> {
  // A signature is valid for the whole transaction. So an unsigned admin instruction can't share a transaction with a
  // signed instruction.
  if (isUnsigned(first) || isUnsigned(second)) return sentAttempt(run, first)
  const { model, snapshot } = run
  const leaves = model.tree.size
  const ahead: Run = { ...run, model: cloneModel(model, leaves) }
  const one = await sentAttempt(ahead, first)
  if (one === undefined) return sentAttempt(run, second)
  if (one.reasons.size === 0) one.apply()
  const two = await sentAttempt(ahead, second)
  const discard = () => model.tree.truncate(leaves)
  const signers = [...new Set([...one.signers, ...(two?.signers ?? [])])]
  const instructions = [...one.instructions, ...(two?.instructions ?? [])]
  const size = await snapshot.world.sizeOf(signers, instructions)
  if (two === undefined || size > TRANSACTION_BYTES_MAX) {
    discard()
    return sentAttempt(run, first)
  }
  const isPaying = first.kind === 'settle' && second.kind === 'settle'
  return {
    signers,
    instructions,
    // The transaction's error is the error of the first instruction that fails.
    reasons: one.reasons.size > 0 ? one.reasons : two.reasons,
    discard,
    // Unless both instructions are settlements, a payee of one instruction may pay in the other instruction. Then only
    // the model checks the payee's balance.
    payees: isPaying ? [...one.payees, ...two.payees] : [],
    apply: () => {
      two.apply()
      Object.assign(model, ahead.model)
    },
    record: (history) => {
      one.record?.(history)
      two.record?.(history)
      if (!isPaying) history.paid = []
      // After two instructions, the accounts don't show the limits of each swap, or the inventory before it.
      if (first.kind === 'asset' || second.kind === 'asset') history.swaps = []
      history.swaps = history.swaps.map((swap) => ({ ...swap, inventoryBefore: undefined }))
    },
  }
}
