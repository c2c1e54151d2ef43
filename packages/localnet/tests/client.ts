import type { Address, Instruction, KeyPairSigner, Rpc, SolanaRpcApi } from '@solana/kit'
import {
  airdropFactory,
  appendTransactionMessageInstructions,
  assertIsSendableTransaction,
  assertIsTransactionWithBlockhashLifetime,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getSignatureFromTransaction,
  lamports,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'

/** The members of a running chain that tests use. The chain runs in this process or in another process. */
export interface Endpoints {
  readonly rpcUrl: string
  readonly wsUrl: string
}

/** An unmodified kit client, and steps that several tests need. */
export function connect(endpoints: Endpoints) {
  const rpc = createSolanaRpc(endpoints.rpcUrl)
  const rpcSubscriptions = createSolanaRpcSubscriptions(endpoints.wsUrl)
  const sendAndConfirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })
  const airdrop = airdropFactory({ rpc, rpcSubscriptions })

  const fund = async (amount = 1_000_000_000n): Promise<KeyPairSigner> => {
    const signer = await generateKeyPairSigner()
    const recipientAddress = signer.address
    await airdrop({ recipientAddress, lamports: lamports(amount), commitment: 'confirmed' })
    return signer
  }
  const balanceOf = async (address: Address) =>
    (await rpc.getBalance(address, { commitment: 'processed' }).send()).value as bigint

  return { rpc, rpcSubscriptions, sendAndConfirm, fund, balanceOf }
}

type BlockhashRpc = Pick<Rpc<SolanaRpcApi>, 'getLatestBlockhash'>

/** Signs a version 0 transaction with the newest blockhash. */
export async function sign(
  rpc: BlockhashRpc,
  payer: KeyPairSigner,
  instructions: readonly Instruction[],
) {
  const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  const transaction = await signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(payer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
    ),
  )
  assertIsSendableTransaction(transaction)
  assertIsTransactionWithBlockhashLifetime(transaction)
  return { transaction, signature: getSignatureFromTransaction(transaction) }
}

/** Signs a transfer of lamports. */
export function signTransfer(
  rpc: BlockhashRpc,
  source: KeyPairSigner,
  destination: Address,
  amount: bigint,
) {
  return sign(rpc, source, [getTransferSolInstruction({ source, destination, amount })])
}

/** Calls a method that kit doesn't have, and returns its result. Throws on an RPC error. */
export async function call(
  endpoints: Endpoints,
  method: string,
  params: unknown[],
): Promise<unknown> {
  const reply = await rawCall(endpoints, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  const body = JSON.parse(reply.text) as { result?: unknown; error?: { message: string } }
  if (body.error !== undefined) throw new Error(body.error.message)
  return body.result
}

/** Posts a request body as it is. */
export async function rawCall(endpoints: Endpoints, body: string) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(endpoints.rpcUrl, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}
