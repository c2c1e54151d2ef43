import type { Address, Blockhash, Instruction, KeyPairSigner } from '@solana/kit'
import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { findAssociatedTokenPda, getTransferInstruction } from '@solana-program/token'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { type Endpoints, call, rawCall } from './client.ts'

const OWNERS = 20
const LAMPORTS = 1_000_000_000_000_000
/** This amount exceeds every balance in these tests, so a transfer of this amount fails. */
const TOO_MUCH = 10_000_000_000_000_000n
const tokenProgram = TOKEN_PROGRAM_ADDRESS

export interface Traffic {
  readonly payer: Address
  readonly token: Address
  /** Sends this many transactions in one batch. Resolves to the signatures after the answer to the batch. */
  send(count: number): Promise<string[]>
}

/** Creates traffic of three kinds: lamports to new accounts, tokens between owners, and transactions that fail. */
export async function openTraffic(endpoints: Endpoints): Promise<Traffic> {
  const payer = await generateKeyPairSigner()
  await call(endpoints, 'requestAirdrop', [payer.address, LAMPORTS])
  const { mint } = (await call(endpoints, 'localnet_createMint', [
    { decimals: 6, symbol: 'LOAD' },
  ])) as { mint: Address }
  await call(endpoints, 'localnet_mintTokens', [payer.address, mint, '1000000000000000000'])
  const accounts: Address[] = []
  for (let index = 0; index < OWNERS; index += 1) {
    const owner = (await generateKeyPairSigner()).address
    await call(endpoints, 'localnet_mintTokens', [owner, mint, '1'])
    accounts.push((await findAssociatedTokenPda({ owner, mint, tokenProgram }))[0])
  }
  const [source] = await findAssociatedTokenPda({ owner: payer.address, mint, tokenProgram })
  let sent = 0
  const next = async (): Promise<Instruction> => {
    sent += 1
    // The amounts differ, because equal transfers in one block would be the same transaction.
    const amount = 1_000_000n + BigInt(sent)
    const pay = (destination: Address, lamports: bigint) =>
      getTransferSolInstruction({ source: payer, destination, amount: lamports })
    if (sent % 10 === 0) return pay(payer.address, TOO_MUCH + BigInt(sent))
    if (sent % 2 === 0) return pay((await generateKeyPairSigner()).address, amount)
    const destination = accounts[sent % OWNERS] ?? source
    return getTransferInstruction({ source, destination, authority: payer, amount })
  }
  return {
    payer: payer.address,
    token: source,
    async send(count) {
      const { value } = (await call(endpoints, 'getLatestBlockhash', [
        { commitment: 'processed' },
      ])) as { value: { blockhash: Blockhash; lastValidBlockHeight: bigint } }
      const requests = await Promise.all(
        Array.from({ length: count }, async () => request(payer, value, await next())),
      )
      const body = JSON.stringify(requests.map((each) => each.body))
      const { text } = await rawCall(endpoints, body)
      if (text.includes('"error":')) throw new Error(text.slice(0, 500))
      return requests.map((each) => each.signature)
    },
  }
}

async function request(
  payer: KeyPairSigner,
  lifetime: { blockhash: Blockhash; lastValidBlockHeight: bigint },
  instruction: Instruction,
) {
  const transaction = await signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(payer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions([instruction], message),
    ),
  )
  const wire = getBase64EncodedWireTransaction(transaction)
  const params = [wire, { encoding: 'base64', skipPreflight: true }]
  const body = { jsonrpc: '2.0', id: 1, method: 'sendTransaction', params }
  return { body, signature: getSignatureFromTransaction(transaction) }
}
