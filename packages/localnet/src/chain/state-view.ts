import type { Address } from '@solana/kit'
import type { Account } from './account.ts'
import type { AccountHistory } from './account-history.ts'
import type { AccountIndex } from './account-index.ts'
import { SYSVAR_OWNER } from './clock-account.ts'
import type { Runtime } from './runtime.ts'
import type { SlotSysvars } from './slot-sysvars.ts'

interface Sources {
  readonly runtime: Runtime
  readonly history: AccountHistory
  readonly index: AccountIndex
  readonly sysvars: SlotSysvars
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
    const { sysvars, history, runtime } = this.#sources
    const sysvar = sysvars.accountAt(address, this.slot)
    if (sysvar !== undefined) return sysvar
    const preImage = history.preImageAt(address, this.slot)
    return preImage === undefined ? runtime.readAccount(address) : preImage
  }

  /** The given accounts that have changed since this slot, each with its content at this slot. */
  olderAmong(addresses: Iterable<Address>): Map<Address, Account | null> {
    const older = new Map<Address, Account | null>()
    for (const address of addresses) {
      const preImage = this.#sources.history.preImageAt(address, this.slot)
      if (preImage !== undefined) older.set(address, preImage)
    }
    return older
  }

  ownedBy(owner: Address): Map<Address, Account> {
    const result = new Map(this.#sources.index.ownedBy(owner))
    for (const [address, preImage] of this.#sources.history.preImagesSince(this.slot)) {
      if (preImage?.owner === owner) result.set(address, preImage)
      else result.delete(address)
    }
    if (owner !== SYSVAR_OWNER) return result
    for (const [address, account] of this.#sources.sysvars.accountsAt(this.slot)) {
      result.set(address, account)
    }
    return result
  }
}
