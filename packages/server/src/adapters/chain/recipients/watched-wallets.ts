import type { Address } from '@sotto/protocol'
import type { Clock } from '../../../ports/clock.ts'
import { makeRoom } from '../../../running/shared-answer.ts'
import type { RawAccount } from '../../rpc/read-accounts.ts'
import type { ReadAccounts } from '../transfer/gather-reads.ts'

/** Maximum number of watched wallets. A round reads all of them in four requests. */
const WATCHED_MAX = 200
/**
 * Maximum age of accounts that may be used: two and a half rounds. Older accounts are read again before they are used.
 */
const AGE_MAX_MS = 25_000

interface Watched {
  readonly wallet: Address
  readonly addresses: readonly Address[]
  readonly accounts: readonly (RawAccount | undefined)[]
  readonly readAtMs: number
}

/**
 * Public wallets whose accounts are always read together: at a fixed pace, and before a delivery to one of them. So no
 * request shows which of the wallets is paid again. At the limit, the wallet that was added first is dropped.
 */
export class WatchedWallets {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #watched = new Map<string, Watched>()
  #wallets: ReadonlySet<Address> = new Set()

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock
  }

  has(wallet: Address): boolean {
    return this.#wallets.has(wallet)
  }

  /** True if the wallet is watched for this asset. */
  watches(mint: Address, wallet: Address): boolean {
    return this.#watched.has(keyOf(mint, wallet))
  }

  /** Watches a wallet from now on. `accounts` is given if the caller has just read them. */
  add(
    mint: Address,
    wallet: Address,
    addresses: readonly Address[],
    accounts?: readonly (RawAccount | undefined)[],
  ): void {
    const key = keyOf(mint, wallet)
    const known = this.#watched.get(key)
    this.#watched.delete(key)
    makeRoom(this.#watched, WATCHED_MAX)
    const readAtMs = accounts === undefined ? (known?.readAtMs ?? -Infinity) : this.#clock.nowMs()
    const kept = accounts ?? known?.accounts ?? []
    this.#watched.set(key, { wallet, addresses, accounts: kept, readAtMs })
    this.#wallets = new Set([...this.#watched.values()].map((one) => one.wallet))
  }

  /**
   * Returns the wallet's accounts; undefined if the wallet isn't watched, or if the last read is older than `ageMaxMs`.
   */
  accountsOf(
    mint: Address,
    wallet: Address,
    ageMaxMs = AGE_MAX_MS,
  ): readonly (RawAccount | undefined)[] | undefined {
    const known = this.#watched.get(keyOf(mint, wallet))
    if (known === undefined) return undefined
    const ageMs = this.#clock.nowMs() - known.readAtMs
    return ageMs >= 0 && ageMs < ageMaxMs ? known.accounts : undefined
  }

  /** Reads the accounts of all watched wallets. A smaller request would show the node which wallet is needed. */
  async refresh(read: ReadAccounts): Promise<void> {
    const all = [...this.#watched]
    if (all.length === 0) return
    const readAtMs = this.#clock.nowMs()
    const accounts = await read(all.flatMap(([, { addresses }]) => addresses))
    let at = 0
    for (const [key, { wallet, addresses }] of all) {
      const own = accounts.slice(at, at + addresses.length)
      at += addresses.length
      const known = this.#watched.get(key)
      // An answer to an older read must not replace the answer to a newer read.
      if (known !== undefined && !(known.readAtMs > readAtMs))
        this.#watched.set(key, { wallet, addresses, accounts: own, readAtMs })
    }
  }
}

const keyOf = (mint: Address, wallet: Address) => `${mint} ${wallet}`
