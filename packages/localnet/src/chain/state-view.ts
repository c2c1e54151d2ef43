import type { Address } from '@solana/kit'
import type { Account } from './account.ts'
import type { AccountHistory } from './account-history.ts'
import type { AccountIndex } from './account-index.ts'
import type { Runtime } from './runtime.ts'

const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111'

interface Sources {
  readonly runtime: Runtime
  readonly history: AccountHistory
  readonly index: AccountIndex
  readonly clockAt: (slot: number) => Account
}

/** The accounts as they were at the end of one slot. */
export class StateView {
  readonly slot: number
  readonly #sources: Sources

  constructor(slot: number, sources: Sources) {
    this.slot = slot
    this.#sources = sources
  }

  read(address: Address): Account | null {
    // The clock changes in every block and so has no pre-image; it follows from the slot.
    if (address === CLOCK_SYSVAR) return this.#sources.clockAt(this.slot)
    const preImage = this.#sources.history.preImageAt(address, this.slot)
    return preImage === undefined ? this.#sources.runtime.readAccount(address) : preImage
  }

  ownedBy(owner: Address): Map<Address, Account> {
    const result = new Map(this.#sources.index.ownedBy(owner))
    for (const [address, preImage] of this.#sources.history.preImagesSince(this.slot)) {
      if (preImage?.owner === owner) result.set(address, preImage)
      else result.delete(address)
    }
    return result
  }
}
