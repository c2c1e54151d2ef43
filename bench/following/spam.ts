import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type Address,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import type { Stage } from '../../testing/stage/open-stage.ts'

const BURSTS_PER_SECOND = 10
const LAMPORTS = 100_000_000_000n

/**
 * Transactions that name the Tree account but don't change it. They are sent at a steady rate until `stop` is called.
 */
export interface Spam {
  /** Stops the spam, and returns how many transactions per second were sent and how many were refused. */
  readonly stop: () => Promise<{ readonly sent: number; readonly refused: number }>
}

/** Starts the spam. Each transaction moves a different number of lamports, so that all transactions differ. */
export async function startSpam(
  { chain, treasury }: Pick<Stage, 'chain' | 'treasury'>,
  tree: Address,
  perSecond: number,
): Promise<Spam> {
  const sender = await generateKeyPairSigner()
  await treasury.fund(sender.address, LAMPORTS)
  const startedMs = performance.now()
  let count = 0
  let refused = 0
  let sending: Promise<void>[] = []

  const sendOne = async (
    lifetime: Parameters<typeof setTransactionMessageLifetimeUsingBlockhash>[0],
  ) => {
    count += 1
    const transfer = getTransferSolInstruction({
      source: sender,
      destination: sender.address,
      amount: BigInt(count),
    })
    const named = {
      ...transfer,
      accounts: [...transfer.accounts, { address: tree, role: 0 as const }],
    }
    const signed = await signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (draft) => setTransactionMessageFeePayerSigner(sender, draft),
        (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
        (draft) => appendTransactionMessageInstructions([named], draft),
      ),
    )
    await chain.submit(getBase64EncodedWireTransaction(signed)).catch(() => (refused += 1))
  }
  const burst = async () => {
    const { value } = await chain.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
    await Promise.all(Array.from({ length: perSecond / BURSTS_PER_SECOND }, () => sendOne(value)))
  }
  const timer = setInterval(() => sending.push(burst()), 1_000 / BURSTS_PER_SECOND)
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all(sending)
      sending = []
      const seconds = (performance.now() - startedMs) / 1_000
      return { sent: count / seconds, refused: refused / seconds }
    },
  }
}
