import { associatedTokenAddress, NATIVE_MINT } from '@sotto/protocol'
import {
  address,
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  getBase64Encoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  getTransactionDecoder,
  lamports,
  signature as asSignature,
  type Address,
  type KeyPairSigner,
  type Signature,
} from '@solana/kit'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 150
/** A localnet slot is 400 ms; nothing the demo waits for takes longer than this. */
const PATIENCE_MS = 30_000

type Wire = ReturnType<typeof getBase64EncodedWireTransaction>

/** The chain as a wallet sees it: one RPC endpoint. */
export class Chain {
  readonly rpc
  readonly #url: string

  constructor(rpcUrl: string) {
    this.#url = rpcUrl
    this.rpc = createSolanaRpcFromTransport(createDefaultRpcTransport({ url: rpcUrl }))
  }

  /** Calls one of the local chain's own methods. */
  async local<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const answer = (await response.json()) as { result: Result; error?: { message: string } }
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }

  /** Gives a wallet lamports of the local chain and waits until it has them. */
  async airdrop(owner: Address, amount: bigint): Promise<void> {
    const signature = await this.rpc.requestAirdrop(owner, lamports(amount)).send()
    await this.confirm(signature)
  }

  /** Balance in base units; 0 where the account doesn't exist. */
  async balance(owner: Address, mint: Address): Promise<bigint> {
    if (mint === NATIVE_MINT) {
      return (await this.rpc.getBalance(owner, { commitment: 'confirmed' }).send()).value
    }
    const account = await associatedTokenAddress(owner, mint)
    const { value } = await this.rpc
      .getAccountInfo(account, { encoding: 'jsonParsed', commitment: 'confirmed' })
      .send()
    if (value === null) return 0n
    const { parsed } = value.data as { parsed: { info: { tokenAmount: { amount: string } } } }
    return BigInt(parsed.info.tokenAmount.amount)
  }

  /** The chain's clock, in seconds. */
  async clock(): Promise<bigint> {
    const slot = await this.rpc.getSlot({ commitment: 'confirmed' }).send()
    return this.rpc.getBlockTime(slot).send()
  }

  /** Signs the service's unsigned transaction, as a wallet would, without changing a byte of it. */
  async sign(transaction: string, signer: KeyPairSigner) {
    const bytes = getBase64Encoder().encode(transaction)
    const unsigned = getTransactionDecoder().decode(bytes)
    const [signatures] = await signer.signTransactions([unsigned as never])
    const signed = { ...unsigned, signatures: { ...unsigned.signatures, ...signatures } }
    return {
      signature: getSignatureFromTransaction(signed),
      wire: getBase64EncodedWireTransaction(signed),
    }
  }

  /** Submits a signed transaction without a trial run; what becomes of it the chain will show. */
  async submit(wire: Wire): Promise<void> {
    await this.rpc
      .sendTransaction(wire, { encoding: 'base64', skipPreflight: true, maxRetries: 0n })
      .send()
  }

  /** The reason why the chain would refuse a transaction now; undefined where it would take it. */
  async refusal(wire: Wire): Promise<string | undefined> {
    const { value } = await this.rpc
      .simulateTransaction(wire, { encoding: 'base64', sigVerify: true, commitment: 'confirmed' })
      .send()
    return value.err === null
      ? undefined
      : JSON.stringify(value.err, (_key, part: unknown) => String(part))
  }

  /** Waits until a transaction is confirmed; its error where it failed on chain. */
  async confirm(signature: string): Promise<unknown> {
    for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
      const { value } = await this.rpc.getSignatureStatuses([asSignature(signature)]).send()
      const found = value[0]
      if (found && found.confirmationStatus !== 'processed') return found.err
      await sleep(POLL_MS)
    }
    throw new Error('a transaction was not confirmed in time')
  }

  /** What a landed transaction cost its fee payer, in lamports. */
  async feeOf(signature: string): Promise<{ payer: Address; fee: bigint }> {
    const record = await this.rpc
      .getTransaction(asSignature(signature), {
        encoding: 'json',
        commitment: 'confirmed',
        maxSupportedTransactionVersion: 0,
      })
      .send()
    const payer = record?.transaction.message.accountKeys[0]
    if (!record?.meta || !payer) throw new Error('a landed transaction is not in the history')
    return { payer: address(payer), fee: record.meta.fee }
  }

  /** How many accounts of this size a program owns. */
  async countAccounts(program: Address, size: number): Promise<number> {
    const found = await this.rpc
      .getProgramAccounts(program, {
        encoding: 'base64',
        commitment: 'confirmed',
        filters: [{ dataSize: BigInt(size) }],
        dataSlice: { offset: 0, length: 0 },
      })
      .send()
    return found.length
  }

  /** Signatures that touched an account, newest first. */
  async history(account: Address): Promise<{ signature: Signature; failed: boolean }[]> {
    const found = await this.rpc
      .getSignaturesForAddress(account, { commitment: 'confirmed', limit: 1000 })
      .send()
    return found.map((entry) => ({ signature: entry.signature, failed: entry.err !== null }))
  }
}
