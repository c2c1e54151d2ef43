import { createHash } from 'node:crypto'
import type { Address, Blockhash, Instruction, KeyPairSigner } from '@solana/kit'
import {
  appendTransactionMessageInstructions,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import type { Chain } from './chain.ts'
import { decodeTransaction } from './decoded-transaction.ts'
import { heightOfSlot } from './block-schedule.ts'
import type { Execution } from './execute-transaction.ts'
import { MAX_PROCESSING_AGE } from './recent-blockhashes.ts'
import type { Runtime } from './runtime.ts'
import type { SubmitQueue } from './submit-queue.ts'
import type { TransactionErrorJson } from './transaction-error.ts'

/**
 * Lamports of the faucet when the chain is created: five hundred million SOL. Sums of lamports stay far below the
 * maximum of a u64.
 */
const FAUCET_LAMPORTS = 500_000_000n * 1_000_000_000n
const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address
const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111' as Address
const SET_UNIT_LIMIT = 2
const FIRST_UNIT_LIMIT = 200_000
const UNIT_LIMITS = 1_000_000
/** Maximum number of tries. Any client can advance the chain's time, which can make several tries fail in a row. */
const TRIES_MAX = 20

/** Thrown if a faucet transaction failed. It contains the chain's error. */
export class FaucetFailure extends Error {
  readonly err: TransactionErrorJson
  constructor(err: TransactionErrorJson) {
    super(`the faucet's transaction failed: ${JSON.stringify(err)}`)
    this.err = err
  }
}

/** The chain's own wallet. It pays airdrops and is the mint authority of test tokens. */
export class Faucet {
  readonly signer: KeyPairSigner
  #chain: Chain | null = null
  #queue: SubmitQueue | null = null
  #sent = 0

  private constructor(signer: KeyPairSigner) {
    this.signer = signer
  }

  /** The faucet of a chain. Its key is derived from the chain's seed, so the faucet is the same after a restart. */
  static async of(seed: Uint8Array): Promise<Faucet> {
    const key = createHash('sha256').update('faucet').update(seed).digest()
    return new Faucet(await createKeyPairSignerFromPrivateKeyBytes(key))
  }

  /** Funds the faucet, as a part of genesis. */
  fund(runtime: Runtime): void {
    runtime.writeAccount(this.signer.address, {
      lamports: FAUCET_LAMPORTS,
      owner: SYSTEM_PROGRAM,
      executable: false,
      data: new Uint8Array(),
    })
  }

  connect(chain: Chain, queue: SubmitQueue): void {
    this.#chain = chain
    this.#queue = queue
  }

  /** Transfers lamports by an ordinary transaction and returns its signature. */
  airdrop(destination: Address, lamports: bigint): Promise<string> {
    const amount = lamports
    return this.send([getTransferSolInstruction({ source: this.signer, destination, amount })])
  }

  /** Signs and executes a transaction, and returns its signature. Throws FaucetFailure. */
  async send(instructions: readonly Instruction[]): Promise<string> {
    for (let tries = 1; ; tries += 1) {
      const execution = await this.#sendOnce(instructions)
      if (execution.kind === 'dropped') {
        // A client advanced the time while the faucet signed the transaction. So the transaction's blockhash expired,
        // and the chain didn't execute the transaction.
        if (execution.err === 'BlockhashNotFound' && tries < TRIES_MAX) continue
        throw new FaucetFailure(execution.err)
      }
      const { err } = execution.record.outcome
      if (err !== null) throw new FaucetFailure(err)
      return execution.record.signature
    }
  }

  async #sendOnce(instructions: readonly Instruction[]): Promise<Execution> {
    if (this.#chain === null || this.#queue === null) throw new Error('the faucet has no chain yet')
    const { tip, blockhashes } = this.#chain
    const lifetime = {
      blockhash: blockhashes.hashOf(tip.slot) as Blockhash,
      lastValidBlockHeight: BigInt(heightOfSlot(tip.slot) + MAX_PROCESSING_AGE),
    }
    const transaction = await signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(this.signer, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
        (message) =>
          appendTransactionMessageInstructions([this.#uniqueLimit(), ...instructions], message),
      ),
    )
    const wire = new Uint8Array(getTransactionEncoder().encode(transaction))
    return this.#queue.submit(decodeTransaction(wire))
  }

  /**
   * An instruction that makes the transaction unique. Without this instruction, two equal airdrops in one block would
   * be the same transaction.
   */
  #uniqueLimit(): Instruction {
    const data = Buffer.alloc(5)
    data.writeUInt8(SET_UNIT_LIMIT, 0)
    data.writeUInt32LE(FIRST_UNIT_LIMIT + (this.#sent % UNIT_LIMITS), 1)
    this.#sent += 1
    return { programAddress: COMPUTE_BUDGET_PROGRAM, accounts: [], data }
  }
}
