import {
  associatedTokenAddress,
  createPacedRpc,
  isUnknownSignature,
  NATIVE_MINT,
  type ShownAccount,
} from '@sotto/protocol'
import {
  address,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  getBase64Encoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  getTransactionDecoder,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signature as asSignature,
  signTransactionMessageWithSigners,
  type Address,
  type Instruction,
  type KeyPairSigner,
  type Signature,
} from '@solana/kit'
import { setTimeout as sleep } from 'node:timers/promises'

/** The polling interval for our own chain, in milliseconds. Public nodes need longer intervals. */
const POLL_MS = 150
/**
 * The time limit for a confirmation, in milliseconds. It is longer than the life of a transaction, which is 60 to 90
 * seconds.
 */
const PATIENCE_MS = 120_000

type Wire = ReturnType<typeof getBase64EncodedWireTransaction>

/** The chain as a wallet sees it, through one RPC endpoint. */
export class Chain {
  readonly rpc
  readonly #pollMs: number

  constructor(rpcUrl: string, pollMs = POLL_MS) {
    this.#pollMs = pollMs
    this.rpc = createPacedRpc(rpcUrl)
  }

  /** True if an account exists. */
  async exists(account: Address): Promise<boolean> {
    const { value } = await this.rpc
      .getAccountInfo(account, { encoding: 'base64', commitment: 'confirmed' })
      .send()
    return value !== null
  }

  /** Balance in base units; 0 if the account doesn't exist. */
  async balance(owner: Address, mint: Address): Promise<bigint> {
    if (mint === NATIVE_MINT) {
      return (await this.rpc.getBalance(owner, { commitment: 'confirmed' }).send()).value
    }
    const account = await associatedTokenAddress(owner, mint)
    const { value } = await this.rpc
      .getAccountInfo(account, { encoding: 'jsonParsed', commitment: 'confirmed' })
      .send()
    // Lamports can be sent to the address before a token account exists there. Then the address has no tokens.
    if (value === null || !('parsed' in value.data)) return 0n
    const { parsed } = value.data as { parsed: { info: { tokenAmount: { amount: string } } } }
    return BigInt(parsed.info.tokenAmount.amount)
  }

  /** The time of the chain's clock, in seconds since 1970. */
  async clock(): Promise<bigint> {
    const slot = await this.rpc.getSlot({ commitment: 'confirmed' }).send()
    return this.rpc.getBlockTime(slot).send()
  }

  /** The confirmed block height. */
  height(): Promise<bigint> {
    return this.rpc.getBlockHeight({ commitment: 'confirmed' }).send()
  }

  /** Signs instructions with the signers that they contain, submits them, and waits for their confirmation. */
  async send(payer: KeyPairSigner, instructions: readonly Instruction[]): Promise<void> {
    const { value: lifetime } = await this.rpc
      .getLatestBlockhash({ commitment: 'confirmed' })
      .send()
    const transaction = await signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (draft) => setTransactionMessageFeePayerSigner(payer, draft),
        (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
        (draft) => appendTransactionMessageInstructions(instructions, draft),
      ),
    )
    const wire = getBase64EncodedWireTransaction(transaction)
    const refusal = await this.refusal(wire)
    if (refusal !== undefined) throw new Error(`the chain refuses a transaction: ${refusal}`)
    await this.submit(wire)
    const failure = await this.confirm(getSignatureFromTransaction(transaction))
    if (failure) throw new Error('a transaction failed on chain')
  }

  /**
   * Signs the unsigned transaction that the service returned. As in a wallet, the message stays the same, byte by byte.
   */
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

  /**
   * Submits a signed transaction without preflight. The node sends the transaction again until it lands or its
   * blockhash expires. `confirm` returns the outcome.
   */
  async submit(wire: Wire): Promise<void> {
    await this.rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send()
  }

  /** The reason why the chain would refuse a transaction now; undefined if it would accept it. */
  async refusal(wire: Wire): Promise<string | undefined> {
    const { value } = await this.rpc
      .simulateTransaction(wire, { encoding: 'base64', sigVerify: true, commitment: 'confirmed' })
      .send()
    return value.err === null
      ? undefined
      : JSON.stringify(value.err, (_key, part: unknown) => String(part))
  }

  /** Waits until a transaction is confirmed. Returns the transaction's error if it failed on the chain. */
  async confirm(signature: string): Promise<unknown> {
    for (let waited = 0; waited < PATIENCE_MS; waited += this.#pollMs) {
      // If a test advances the chain's time during this wait, the node finds the status only in its history.
      const options = { searchTransactionHistory: true }
      const { value } = await this.rpc
        .getSignatureStatuses([asSignature(signature)], options)
        .send()
      const found = value[0]
      if (found && found.confirmationStatus !== 'processed') return found.err
      await sleep(this.#pollMs)
    }
    throw new Error('a transaction was not confirmed in time')
  }

  /** A confirmed transaction; null if the node doesn't have it. */
  transaction(signature: string) {
    return this.rpc
      .getTransaction(asSignature(signature), {
        encoding: 'json',
        commitment: 'confirmed',
        maxSupportedTransactionVersion: 0,
      })
      .send()
  }

  /** The fees that a landed transaction cost its fee payer, in lamports. */
  async feeOf(signature: string): Promise<{ payer: Address; fee: bigint }> {
    const record = await this.transaction(signature)
    const payer = record?.transaction.message.accountKeys[0]
    if (!record?.meta || !payer) throw new Error('a landed transaction is not in the history')
    return { payer: address(payer), fee: record.meta.fee }
  }

  /** The accounts of this size that a program owns. */
  async accountsOfSize(program: Address, size: number): Promise<ShownAccount[]> {
    const found = await this.rpc
      .getProgramAccounts(program, {
        encoding: 'base64',
        commitment: 'confirmed',
        filters: [{ dataSize: BigInt(size) }],
      })
      .send()
    return found.map(({ account: { owner, data } }) => ({
      owner,
      data: getBase64Encoder().encode(data[0]),
    }))
  }

  /** Signatures of transactions that touched an account after the transaction `since`, newest first. */
  async history(
    account: Address,
    since?: Signature,
  ): Promise<{ signature: Signature; failed: boolean }[]> {
    const list = (range: { until?: Signature }) =>
      this.rpc
        .getSignaturesForAddress(account, { commitment: 'confirmed', limit: 1000, ...range })
        .send()
    const found = await list(since === undefined ? {} : { until: since }).catch(
      (error: unknown) => {
        // A node that doesn't know `since`, or has deleted it, refuses the request. Then all signatures that the node
        // has are listed.
        if (isUnknownSignature(error)) return list({})
        throw error
      },
    )
    return found.map((entry) => ({ signature: entry.signature, failed: entry.err !== null }))
  }
}
