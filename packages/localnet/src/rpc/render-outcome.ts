import type { Address } from '@solana/kit'
import { encodeBase58 } from '@sotto/protocol'
import type { InnerInstruction, Outcome } from '../chain/runtime.ts'

/** A transaction's return data in the RPC's form. Undefined if there is none; the answer then lacks this member. */
export function renderReturnData(outcome: Outcome): object | undefined {
  if (outcome.returnData === null) return undefined
  const { programId, data } = outcome.returnData
  return { programId, data: [Buffer.from(data).toString('base64'), 'base64'] }
}

/** Inner instructions, grouped by the index of the instruction that called them. */
export function renderInnerInstructions(outcome: Outcome): object[] {
  return renderInnerSets(outcome, (instruction) => ({
    programIdIndex: instruction.programIndex,
    accounts: [...instruction.accountIndices],
    data: encodeBase58(instruction.data),
    stackHeight: instruction.stackHeight,
  }))
}

/**
 * Inner instructions with addresses instead of indices, as `jsonParsed` shows instructions of a program without a
 * parser.
 */
export function renderInnerWithAddresses(
  outcome: Outcome,
  accountKeys: readonly Address[],
): object[] {
  return renderInnerSets(outcome, (instruction) => ({
    programId: accountKeys[instruction.programIndex],
    accounts: [...instruction.accountIndices].map((index) => accountKeys[index]),
    data: encodeBase58(instruction.data),
    stackHeight: instruction.stackHeight,
  }))
}

function renderInnerSets(
  outcome: Outcome,
  render: (instruction: InnerInstruction) => object,
): object[] {
  return outcome.inner.flatMap((set, index) =>
    set.length === 0 ? [] : [{ index, instructions: set.map(render) }],
  )
}
