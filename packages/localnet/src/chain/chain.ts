import { createHash } from 'node:crypto'
import type { Address } from '@solana/kit'
import type { Account, AccountChange } from './account.ts'
import { AccountHistory } from './account-history.ts'
import { AccountIndex } from './account-index.ts'
import type { DecodedTransaction } from './decoded-transaction.ts'
import { type Execution, executeTransaction } from './execute-transaction.ts'
import type { Batch, Journal } from './journal.ts'
import type { Ledger } from './ledger.ts'
import { resolveLookups } from './lookup-tables.ts'
import { MAX_PROCESSING_AGE, RecentBlockhashes } from './recent-blockhashes.ts'
import type { Runtime, Simulation } from './runtime.ts'
import { SlotSysvars } from './slot-sysvars.ts'
import { withOlderAccounts } from './state-overlay.ts'
import { StateView } from './state-view.ts'
import { StatusCache } from './status-cache.ts'
import type { BlockAdvance, Tip } from './tip.ts'
import type { TransactionRecord } from './transaction-record.ts'

/**
 * The largest lag that a read may ask for, in blocks. Earlier versions of accounts are kept for this many blocks before
 * the newest finalized one.
 */
export const MAX_LAG_BLOCKS = 256

/** A simulation treats a blockhash as expired this many blocks early (agave, MAX_TRANSACTION_FORWARDING_DELAY). */
const FORWARDING_BLOCKS = 6

/** Number of slots that one journal entry reserves in advance, so that an idle chain needn't write for each slot. */
const RESERVED_SLOTS = 64

export interface ChainListener {
  onBlock(advance: BlockAdvance): void
  onBatch(batch: Batch): void
}

export interface ChainParts {
  readonly seed: Uint8Array
  readonly runtime: Runtime
  readonly ledger: Ledger
  readonly tip: Tip
  readonly journal: Journal
}

/**
 * The chain. It produces blocks, executes transactions immediately in the newest block, and answers reads at older
 * commitments with earlier versions of accounts. It writes the effects of a transaction to the journal before it
 * reports them. So a killed process loses nothing that a client has seen.
 */
export class Chain {
  readonly tip: Tip
  readonly ledger: Ledger
  readonly runtime: Runtime
  readonly blockhashes: RecentBlockhashes
  /**
   * The hash that identifies the chain. The hash is derived from the seed. The seed itself stays secret, because the
   * faucet's key is derived from the seed too.
   */
  readonly genesisHash: Uint8Array
  readonly #journal: Journal
  readonly #statuses = new StatusCache()
  readonly #history = new AccountHistory()
  readonly #index: AccountIndex
  readonly #sysvars: SlotSysvars
  readonly #listeners = new Set<ChainListener>()
  #reservedUntil = -1
  #sysvarSlot = -1

  constructor(parts: ChainParts) {
    this.genesisHash = createHash('sha256').update('genesis').update(parts.seed).digest()
    this.tip = parts.tip
    this.ledger = parts.ledger
    this.runtime = parts.runtime
    this.#journal = parts.journal
    this.#index = new AccountIndex(parts.runtime)
    this.blockhashes = new RecentBlockhashes(parts.seed)
    this.blockhashes.advanceTo(this.tip.slot)
    this.tip.recordTime()
    this.#sysvars = new SlotSysvars(this.tip.times, this.blockhashes)
    this.#reserve()
  }

  /** Subscribes a listener to blocks and transactions. The returned function unsubscribes the listener. */
  listen(listener: ChainListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Records a message that landed before a restart, so that it can't land again. */
  rememberStatus(record: TransactionRecord): void {
    this.#statuses.add(record)
  }

  /** Advances the chain by one slot. */
  tick(): void {
    this.#enter(this.tip.tick())
  }

  /** Advances the chain immediately by these seconds of chain time and by these slots. */
  advanceTime(seconds: number, slots: number): void {
    this.#enter(this.tip.jump(slots, seconds), true)
  }

  /** The accounts at the end of a slot. */
  view(slot: number): StateView {
    return new StateView(slot, {
      runtime: this.runtime,
      history: this.#history,
      index: this.#index,
      sysvars: this.#sysvars,
    })
  }

  /** Addresses of accounts that changed in slots above `fromSlot`, up to and including `toSlot`. */
  changedBetween(fromSlot: number, toSlot: number): Set<Address> {
    return this.#history.changedBetween(fromSlot, toSlot)
  }

  /** The error with which a bank at `bankSlot` refuses to run the message. Null if the bank accepts the message. */
  refusalOf(
    decoded: DecodedTransaction,
    bankSlot: number,
    ageMax = MAX_PROCESSING_AGE,
  ): string | null {
    if (this.#statuses.has(decoded.messageHash, bankSlot)) return 'AlreadyProcessed'
    return this.blockhashes.isValidAt(decoded.recentBlockhash, bankSlot, ageMax)
      ? null
      : 'BlockhashNotFound'
  }

  /**
   * The error with which a simulation refuses the message. Like a validator, a simulation refuses a blockhash that
   * expires soon, because the transaction still needs time to reach the leader.
   */
  simulationRefusalOf(decoded: DecodedTransaction, bankSlot: number): string | null {
    return this.refusalOf(decoded, bankSlot, MAX_PROCESSING_AGE - FORWARDING_BLOCKS)
  }

  /** The transaction's accounts as of a slot: static ones, then loaded writable ones, then loaded read-only ones. */
  accountKeysOf(decoded: DecodedTransaction, slot: number): Address[] {
    const view = this.view(slot)
    const loaded = resolveLookups(decoded.lookups, (address) => view.read(address))
    return [...decoded.staticAccounts, ...loaded.writable, ...loaded.readonly]
  }

  /** Runs a transaction in the bank at `bankSlot`, and discards its effects. */
  simulate(decoded: DecodedTransaction, bankSlot: number): Simulation {
    const view = this.view(bankSlot)
    const tables = decoded.lookups.map((lookup) => lookup.table)
    const named = [...this.accountKeysOf(decoded, bankSlot), ...tables]
    this.#applySysvars(bankSlot)
    return withOlderAccounts(this.runtime, view.olderAmong(named), () =>
      this.runtime.simulate(decoded.transaction),
    )
  }

  /** Executes transactions in order in the newest block, journals them, then notifies listeners. */
  execute(transactions: readonly DecodedTransaction[]): Execution[] {
    this.#applySysvars(this.tip.slot)
    const landed = new Set<string>()
    const results = transactions.map((decoded): Execution => {
      const refusal = landed.has(decoded.messageHash)
        ? 'AlreadyProcessed'
        : this.refusalOf(decoded, this.tip.slot)
      if (refusal !== null) return { kind: 'dropped', err: refusal }
      const execution = executeTransaction(this.runtime, decoded, this.tip.slot)
      if (execution.kind === 'landed') landed.add(decoded.messageHash)
      return execution
    })
    const done = results.filter((each) => each.kind === 'landed')
    if (done.length > 0) {
      this.#commit(
        done.map((each) => each.record),
        mergeChanges(done.flatMap((each) => each.changes)),
      )
    }
    return results
  }

  /** Writes an account without any checks. The journal gets the change as if a transaction had made it. */
  writeAccount(address: Address, after: Account): void {
    const before = this.runtime.readAccount(address)
    this.runtime.writeAccount(address, after)
    this.#commit([], [{ address, before, after }])
  }

  /** Ends the chain in this process. After a restart, the chain continues directly after the newest block. */
  close(): void {
    this.#writeReservation(this.tip.slot)
    this.#journal.close()
  }

  #commit(records: Batch['records'], changes: AccountChange[]): void {
    const batch = { slot: this.tip.slot, unixTime: this.tip.unixTime, records, changes }
    this.#journal.appendBatch(batch)
    this.#history.record(batch.slot, changes)
    this.#index.apply(changes)
    this.ledger.append(records)
    for (const record of records) this.#statuses.add(record)
    for (const listener of this.#listeners) listener.onBatch(batch)
  }

  #enter(advance: BlockAdvance | null, jumped = false): void {
    if (advance === null) return
    this.blockhashes.advanceTo(advance.slot)
    this.#statuses.advanceTo(advance.slot)
    // A jump changes the clock's offset. The journal must contain the new offset immediately.
    if (jumped || advance.slot > this.#reservedUntil) this.#reserve()
    for (const listener of this.#listeners) listener.onBlock(advance)
    // Forget earlier versions of accounts only now, because listeners still need them after a jump.
    this.#history.forgetUpTo(this.tip.slotAt('finalized', MAX_LAG_BLOCKS))
  }

  #reserve(): void {
    this.#reservedUntil = this.tip.slot + RESERVED_SLOTS
    this.#writeReservation(this.#reservedUntil)
  }

  #writeReservation(slot: number): void {
    const { unixTime, clock } = this.tip
    this.#journal.appendReservation({ slot, unixTime, offsetSeconds: clock.offsetSeconds })
  }

  #applySysvars(slot: number): void {
    if (this.#sysvarSlot === slot) return
    this.#sysvars.apply(this.runtime, slot)
    this.#sysvarSlot = slot
  }
}

/**
 * Merges the changes of each account into one change, with the first change's `before` and the last change's `after`.
 */
function mergeChanges(changes: readonly AccountChange[]): AccountChange[] {
  const merged = new Map<Address, AccountChange>()
  for (const change of changes) {
    const first = merged.get(change.address)
    merged.set(change.address, first === undefined ? change : { ...change, before: first.before })
  }
  return [...merged.values()]
}
