import type { Address } from '@sotto/protocol'
import type { Clock } from '../../../ports/clock.ts'
import type { RawAccount } from '../../rpc/read-accounts.ts'
import type { ReadAccounts } from '../transfer/gather-reads.ts'

/** Maximum number of watched accounts. A round reads this many accounts in six requests. */
const ACCOUNTS_MAX = 600
/** Maximum age of accounts that may be used: two and a half rounds. If the accounts are older, they are read again. */
const AGE_MAX_MS = 25_000

/**
 * The addresses of a wallet that matter for an asset: the wallet's own address and, for a token, the token account's.
 */
export interface WatchedAsset {
  readonly mint: Address
  readonly addresses: readonly Address[]
}

interface Watched {
  readonly addresses: readonly Address[]
  readonly accounts: readonly (RawAccount | undefined)[]
  readonly readAtMs: number
}

/**
 * Public wallets whose accounts are always read together: at a fixed pace, and before a delivery to one of them. So no
 * request shows which of the wallets will be paid. At the limit, the wallet that was added first is dropped, with all
 * its assets.
 */
export class WatchedWallets {
  readonly #clock: Pick<Clock, 'nowMs'>
  /** For each wallet, the watched accounts by mint. */
  readonly #wallets = new Map<Address, ReadonlyMap<Address, Watched>>()

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock
  }

  has(wallet: Address): boolean {
    return this.#wallets.has(wallet)
  }

  /** True if the wallet is watched for this asset. */
  watches(mint: Address, wallet: Address): boolean {
    return this.#wallets.get(wallet)?.has(mint) === true
  }

  /** The watched wallets that aren't watched for all these assets yet. */
  lacking(mints: readonly Address[]): Address[] {
    const wallets = [...this.#wallets.keys()]
    return wallets.filter((wallet) => !mints.every((mint) => this.watches(mint, wallet)))
  }

  /**
   * Watches a wallet for these assets, in addition to the assets for which it is watched already. The caller gives
   * `accounts` if it has just read them; then `assets` has only one asset.
   */
  add(
    wallet: Address,
    assets: readonly WatchedAsset[],
    accounts?: readonly (RawAccount | undefined)[],
  ): void {
    const watched = new Map(this.#wallets.get(wallet))
    for (const { mint, addresses } of assets) {
      const known = watched.get(mint)
      if (accounts !== undefined)
        watched.set(mint, { addresses, accounts, readAtMs: this.#clock.nowMs() })
      else if (known === undefined)
        watched.set(mint, { addresses, accounts: [], readAtMs: -Infinity })
    }
    this.#wallets.delete(wallet)
    this.#wallets.set(wallet, watched)
    let count = this.#addresses().length
    for (const [oldest, one] of this.#wallets) {
      if (count <= ACCOUNTS_MAX || oldest === wallet) break
      this.#wallets.delete(oldest)
      count -= addressesOf(one).length
    }
  }

  /**
   * Returns the wallet's accounts; undefined if the wallet isn't watched, or if the last read is older than `ageMaxMs`.
   */
  accountsOf(
    mint: Address,
    wallet: Address,
    ageMaxMs = AGE_MAX_MS,
  ): readonly (RawAccount | undefined)[] | undefined {
    const known = this.#wallets.get(wallet)?.get(mint)
    if (known === undefined) return undefined
    const ageMs = this.#clock.nowMs() - known.readAtMs
    return ageMs >= 0 && ageMs < ageMaxMs ? known.accounts : undefined
  }

  /** Reads the accounts of all watched wallets. A smaller request would show the node which wallet is needed. */
  async refresh(read: ReadAccounts): Promise<void> {
    const addresses = this.#addresses()
    if (addresses.length === 0) return
    const readAtMs = this.#clock.nowMs()
    const accounts = await read(addresses)
    const found = new Map(addresses.map((address, index) => [address, accounts[index]]))
    for (const [wallet, watched] of this.#wallets) {
      this.#wallets.set(wallet, new Map([...watched].map(([mint, one]) => [mint, newer(one)])))
    }
    // The answer to an older read must not replace the answer to a newer read. A wallet that was added during the read
    // isn't in the answer.
    function newer(one: Watched): Watched {
      if (one.readAtMs > readAtMs || !one.addresses.every((address) => found.has(address)))
        return one
      return { ...one, accounts: one.addresses.map((address) => found.get(address)), readAtMs }
    }
  }

  #addresses(): Address[] {
    return [...this.#wallets.values()].flatMap(addressesOf)
  }
}

const addressesOf = (watched: ReadonlyMap<Address, Watched>): Address[] => [
  ...new Set([...watched.values()].flatMap(({ addresses }) => addresses)),
]
