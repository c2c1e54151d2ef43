import type { Address } from '@solana/kit'
import type { Account, AccountChange } from './account.ts'
import type { Runtime } from './runtime.ts'

/**
 * Accounts by owning program. The first request for an owner reads the owner's accounts from the runtime. From then on,
 * every change updates the index. Reading all accounts from the runtime for each request would be slow.
 */
export class AccountIndex {
  readonly #runtime: Runtime
  readonly #byOwner = new Map<Address, Map<Address, Account>>()

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  ownedBy(owner: Address): ReadonlyMap<Address, Account> {
    const known = this.#byOwner.get(owner)
    if (known !== undefined) return known
    const loaded = this.#runtime.readOwnedBy(owner)
    this.#byOwner.set(owner, loaded)
    return loaded
  }

  apply(changes: readonly AccountChange[]): void {
    if (this.#byOwner.size === 0) return
    for (const { address, before, after } of changes) {
      if (before !== null) this.#byOwner.get(before.owner)?.delete(address)
      if (after !== null) this.#byOwner.get(after.owner)?.set(address, after)
    }
  }
}
