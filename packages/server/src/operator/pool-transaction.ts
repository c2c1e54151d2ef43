import { PROGRAM_ERRORS } from '@sotto/protocol'
import type { Instruction, Signature } from '@solana/kit'
import type { ChainRpc } from '../adapters/settlement-chain/rpc-client.ts'
import {
  sendTransaction,
  simulateTransaction,
} from '../adapters/settlement-chain/send-transaction.ts'
import { signTransaction } from '../adapters/settlement-chain/sign-transaction.ts'
import type { Signer } from '../ports/signer.ts'
import { OperatorError, type OperatorContext } from './context.ts'

const POLL_MS = 400

/** What commands do with the chain. */
export interface OperatorChain {
  readonly rpc: ChainRpc
  /** Signs, sends and waits for `confirmed`; returns the signature. @throws OperatorError. */
  readonly run: (
    signers: readonly [Signer, ...Signer[]],
    instructions: readonly Instruction[],
  ) => Promise<string>
}

export function openOperatorChain(context: OperatorContext): OperatorChain {
  const { rpc } = context
  return { rpc, run: (signers, instructions) => run(context, rpc, signers, instructions) }
}

async function run(
  { clock }: OperatorContext,
  rpc: ChainRpc,
  signers: readonly [Signer, ...Signer[]],
  instructions: readonly Instruction[],
): Promise<string> {
  const signed = await signTransaction(rpc, signers, instructions)
  const refusal = await simulateTransaction(rpc, signed.wire)
  if (refusal !== undefined) throw new OperatorError(explain(refusal.reason))
  for (;;) {
    await sendTransaction(rpc, signed.wire)
    await clock.sleep(POLL_MS)
    const { value } = await rpc.getSignatureStatuses([signed.signature as Signature]).send()
    const status = value[0]
    if (status?.err) throw new OperatorError(explain(status.err))
    if (status?.confirmationStatus && status.confirmationStatus !== 'processed') {
      return signed.signature
    }
    const height = await rpc.getBlockHeight({ commitment: 'confirmed' }).send()
    if (height > signed.lastValidBlockHeight) {
      throw new OperatorError('the transaction did not land in time; run the command again')
    }
  }
}

/** The program's own words for a refusal, where it is the program's. */
function explain(reason: unknown): string {
  const text = JSON.stringify(reason, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
  const code = /"Custom":"?([0-9]+)/.exec(text)?.[1]
  const known = PROGRAM_ERRORS.find((error) => `${error.code}` === code)
  if (known !== undefined) return `the program refuses: ${known.message} (${known.name})`
  return `the chain refuses the transaction: ${text}`
}
