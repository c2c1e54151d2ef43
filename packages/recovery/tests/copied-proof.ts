import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type AccountSignerMeta,
} from '@solana/kit'
import { decodeSettle, NATIVE_MINT, settleInstruction } from '@sotto/protocol'
import type { LandingStage } from './landing-stage.ts'

/**
 * Copies a settlement of native SOL from a signed transaction to a stranger's transaction, and lands the stranger's
 * transaction.
 */
export async function landCopy({ fixture, node }: LandingStage, wire: string): Promise<void> {
  const { chain, tree } = fixture
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(wire))
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (message.version !== 0) throw new Error('a recovery sends only transactions of version 0')
  const settlement = message.instructions
    .map(({ data }) => data && decodeSettle(data))
    .find((one) => one !== undefined)
  const stranger = await chain.wallet()
  const at = { program: chain.program, tree, payer: stranger.address }
  const { accounts = [], ...rest } = await settleInstruction(at, NATIVE_MINT, settlement!)
  const metas = accounts.map((one) => {
    const { signer: _signer, ...meta } = one as AccountSignerMeta
    return meta
  })
  // The node's `getLatestBlockhash` would invalidate the blockhash of the copied transaction.
  const value = { blockhash: chain.svm.latestBlockhash(), lastValidBlockHeight: 1_000n } as const
  const draft = pipe(
    createTransactionMessage({ version: 0 }),
    (one) => setTransactionMessageFeePayerSigner(stranger, one),
    (one) => setTransactionMessageLifetimeUsingBlockhash(value, one),
    (one) => appendTransactionMessageInstructions([{ ...rest, accounts: metas }], one),
  )
  const signed = await signTransactionMessageWithSigners(draft)
  await node.rpc
    .sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' })
    .send()
}
