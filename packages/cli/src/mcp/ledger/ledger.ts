import { FileLockedError, lockFile } from '@sotto/file-lock'
import { makePrivateFolder, writePrivateFile } from '@sotto/sdk/node'
import { dirname, join } from 'node:path'
import { readIfThere } from '../../settings/owned-file.ts'
import { ToolError } from '../tool-error.ts'
import { LedgerFile, type Entry, type LedgerState } from './entry.ts'

export const DAY_MS = 86_400_000

/** Payments in these states may have been made, or may still be made. */
const OPEN: ReadonlySet<Entry['state']> = new Set(['sending', 'unknown', 'uncertain'])

export const ledgerPath = (home: string, balance: string): string =>
  join(home, 'mcp', `${balance}.ledger.json`)

/**
 * The payments that an agent makes from one balance, in a file that only its owner may read. Each change that allows
 * a payment is written to the disk before money can move. Only one process at a time uses a ledger.
 */
export class Ledger {
  readonly #path: string
  readonly #release: () => void
  readonly #nowMs: () => number
  #state: LedgerState
  #isReleased = false
  #last: Promise<unknown> = Promise.resolve()

  private constructor(path: string, release: () => void, nowMs: () => number, state: LedgerState) {
    this.#path = path
    this.#release = release
    this.#nowMs = nowMs
    this.#state = state
  }

  /**
   * Opens the ledger, or creates a new one, and locks it for this process.
   * @throws ToolError LEDGER_IN_USE, LEDGER_UNREADABLE. Without a ledger, no limit could be enforced.
   */
  static async open(path: string, nowMs: () => number): Promise<Ledger> {
    await makePrivateFolder(dirname(path))
    const release = lock(path)
    try {
      const text = await readIfThere(path)
      const state =
        text === undefined
          ? { version: 2 as const, newestMs: 0, entries: {} }
          : LedgerFile.parse(JSON.parse(text))
      return new Ledger(path, release, nowMs, state)
    } catch {
      release()
      throw new ToolError(
        'LEDGER_UNREADABLE',
        'the ledger of earlier payments cannot be read, so no limit can be checked',
        'ask the person who runs this server to restore the ledger; nothing is paid without the ledger',
      )
    }
  }

  /**
   * Milliseconds since 1970. This time is never earlier than the times in the ledger, so that setting the clock back
   * doesn't raise a limit.
   */
  get nowMs(): number {
    return Math.max(this.#nowMs(), this.#state.newestMs)
  }

  get entries(): readonly (readonly [key: string, entry: Entry])[] {
    return Object.entries(this.#state.entries)
  }

  find(key: string): Entry | undefined {
    return Object.hasOwn(this.#state.entries, key) ? this.#state.entries[key] : undefined
  }

  /**
   * Base units that count against the 24-hour limit: all payments in the state `sending`, `unknown` or `uncertain`, and
   * all payments made in the last 24 hours. A payment leaves this sum earlier only if it was certainly not made, or if
   * a person changes its state.
   */
  get used(): bigint {
    const since = this.nowMs - DAY_MS
    let used = 0n
    for (const [, { state, most, paid, changedAtMs }] of this.entries) {
      if (OPEN.has(state)) used += BigInt(most)
      else if (paid !== null && changedAtMs > since) used += BigInt(paid.payout) + BigInt(paid.fee)
    }
    return used
  }

  /**
   * For `asked`: the number of questions that are open now. For `declined`: the number of payments that were declined
   * in the last 24 hours. The payment with the key `except` isn't counted.
   */
  count(state: 'asked' | 'declined', except: string): number {
    const { nowMs } = this
    return this.entries.filter(([key, entry]) => {
      if (entry.state !== state || key === except) return false
      if (state === 'declined') return entry.changedAtMs > nowMs - DAY_MS
      return entry.question !== null && entry.question.expiresAtMs > nowMs
    }).length
  }

  /**
   * Changes an entry. The object contains the change immediately, so that parallel calls can't use the same part of a
   * limit twice. The returned promise resolves once the change is on the disk.
   */
  async write(key: string, changed: Omit<Entry, 'changedAtMs'>): Promise<Entry> {
    const { nowMs } = this
    const entry = { ...changed, changedAtMs: nowMs }
    const entries = { ...this.#state.entries, [key]: entry }
    this.#state = { version: 2, newestMs: nowMs, entries }
    const written = this.#last.then(async () => {
      if (this.#isReleased) throw new Error('the ledger is closed')
      await writePrivateFile(this.#path, `${JSON.stringify(this.#state)}\n`)
    })
    this.#last = written.catch(() => undefined)
    await written
    return entry
  }

  /** Waits until the last write has ended, and releases the ledger for other processes. */
  async close(): Promise<void> {
    await this.#last
    this.#isReleased = true
    this.#release()
  }
}

function lock(path: string): () => void {
  try {
    return lockFile(`${path}.lock`)
  } catch (error) {
    if (!(error instanceof FileLockedError)) throw error
    throw new ToolError(
      'LEDGER_IN_USE',
      'another server pays out of this balance, and limits can be enforced only if one server at a time pays',
      'ask the person who runs this server to end the other server, then call again',
    )
  }
}
