import { getBase58Decoder } from '@solana/kit'
import type { InnerInstruction, Outcome } from '../chain/runtime.ts'

const base58 = getBase58Decoder()

/** Return data as the RPC shows it; undefined leaves the member out. */
export function renderReturnData(outcome: Outcome): object | undefined {
  if (outcome.returnData === null) return undefined
  const { programId, data } = outcome.returnData
  return { programId, data: [Buffer.from(data).toString('base64'), 'base64'] }
}

/** Inner instructions by the index of the instruction that called them. */
export function renderInnerInstructions(outcome: Outcome): object[] {
  return outcome.inner.flatMap((set, index) =>
    set.length === 0 ? [] : [{ index, instructions: set.map(renderInner) }],
  )
}

function renderInner(instruction: InnerInstruction): object {
  return {
    programIdIndex: instruction.programIndex,
    accounts: [...instruction.accountIndices],
    data: base58.decode(instruction.data),
    stackHeight: instruction.stackHeight,
  }
}
