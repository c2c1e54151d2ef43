import type { Address, Lamports, Transaction } from '@solana/kit'
import { getAddressDecoder } from '@solana/kit'
import { Clock, FailedTransactionMetadata, LiteSVM, Rent } from 'litesvm'
import type { TransactionMetadata } from 'litesvm'
import type { Account } from './account.ts'
import { SLOTS_PER_EPOCH } from './epoch.ts'
import { type TransactionErrorJson, renderTransactionError } from './transaction-error.ts'

export interface InnerInstruction {
  readonly programIndex: number
  readonly accountIndices: Uint8Array
  readonly data: Uint8Array
  readonly stackHeight: number
}

/** The result of running a transaction, executed or simulated. */
export interface Outcome {
  readonly err: TransactionErrorJson | null
  readonly logs: readonly string[]
  /** The inner instructions of each top-level instruction, by its index. */
  readonly inner: readonly (readonly InnerInstruction[])[]
  readonly unitsConsumed: bigint
  readonly returnData: { readonly programId: Address; readonly data: Uint8Array } | null
}

/** A block's hash, as the SlotHashes sysvar lists it. */
export interface SlotHashEntry {
  readonly slot: number
  readonly hash: string
}

export interface Simulation extends Outcome {
  readonly postAccounts: ReadonlyMap<Address, Account>
}

const addresses = getAddressDecoder()
const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address

/** Wraps LiteSVM in the few operations that the chain needs. */
export class Runtime {
  readonly #svm: LiteSVM

  /** @param lamportsPerByte The cluster's rent in lamports per byte. The default is Solana's usual rent, 6,960. */
  constructor(lamportsPerByte?: bigint) {
    // The chain checks signatures, blockhash age and duplicates before it passes a transaction to the runtime. The
    // runtime couldn't check age and duplicates, because it never expires a blockhash and loses its history in a
    // restart.
    this.#svm = new LiteSVM()
      .withNativeMints()
      .withSigverify(false)
      .withBlockhashCheck(false)
      .withTransactionHistory(0n)
    if (lamportsPerByte !== undefined) this.#svm.setRent(new Rent(lamportsPerByte, 1, 50))
    // LiteSVM creates an airdrop wallet with a new random key in every process. A restarted chain must have exactly the
    // same accounts as before, so all wallets are removed here. The chain's own faucet pays airdrops.
    for (const address of this.readOwnedBy(SYSTEM_PROGRAM).keys()) this.writeAccount(address, null)
  }

  readAccount(address: Address): Account | null {
    const found = this.#svm.getAccount(address)
    if (!found.exists) return null
    const { lamports, programAddress, executable, data } = found
    return { lamports, owner: programAddress, executable, data: new Uint8Array(data) }
  }

  /** Writes an account without any checks; null removes the account. */
  writeAccount(address: Address, account: Account | null): void {
    const data = account?.data ?? new Uint8Array()
    this.#svm.setAccount({
      address,
      lamports: (account?.lamports ?? 0n) as Lamports,
      programAddress: account?.owner ?? SYSTEM_PROGRAM,
      executable: account?.executable ?? false,
      data,
      space: BigInt(data.length),
    })
  }

  readOwnedBy(owner: Address): Map<Address, Account> {
    const found = this.#svm.getProgramAccounts(owner)
    return new Map(
      found.map(({ address, lamports, executable, data }) => [
        address,
        { lamports, owner, executable, data: new Uint8Array(data) },
      ]),
    )
  }

  /** Loads a program under the upgradeable loader, without an upgrade authority. */
  loadProgram(address: Address, bytes: Uint8Array): void {
    this.#svm.addProgram(address, bytes)
  }

  setClock(slot: number, unixTime: number): void {
    const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH))
    this.#svm.setClock(new Clock(BigInt(slot), 0n, epoch, epoch + 1n, BigInt(unixTime)))
  }

  setSlotHashes(entries: readonly SlotHashEntry[]): void {
    this.#svm.setSlotHashes(entries.map(({ slot, hash }) => ({ slot: BigInt(slot), hash })))
  }

  rentExemption(dataBytes: bigint): bigint {
    return this.#svm.minimumBalanceForRentExemption(dataBytes)
  }

  execute(transaction: Transaction): Outcome {
    const result = this.#svm.sendTransaction(transaction)
    if (result instanceof FailedTransactionMetadata) {
      return readOutcome(result.meta(), renderTransactionError(result.err()))
    }
    return readOutcome(result, null)
  }

  simulate(transaction: Transaction): Simulation {
    const result = this.#svm.simulateTransaction(transaction)
    if (result instanceof FailedTransactionMetadata) {
      const outcome = readOutcome(result.meta(), renderTransactionError(result.err()))
      return { ...outcome, postAccounts: new Map() }
    }
    const postAccounts = new Map<Address, Account>()
    for (const { address, lamports, programAddress, executable, data } of result.postAccounts()) {
      const bytes = new Uint8Array(data)
      postAccounts.set(address, { lamports, owner: programAddress, executable, data: bytes })
    }
    return { ...readOutcome(result.meta(), null), postAccounts }
  }
}

function readOutcome(meta: TransactionMetadata, err: TransactionErrorJson | null): Outcome {
  const returned = meta.returnData()
  const data = returned.data()
  return {
    err,
    logs: meta.logs(),
    inner: meta.innerInstructions().map((set) =>
      set.map((each) => ({
        programIndex: each.instruction().programIdIndex(),
        accountIndices: each.instruction().accounts(),
        data: each.instruction().data(),
        stackHeight: each.stackHeight(),
      })),
    ),
    unitsConsumed: meta.computeUnitsConsumed(),
    returnData:
      data.length === 0 ? null : { programId: addresses.decode(returned.programId()), data },
  }
}
