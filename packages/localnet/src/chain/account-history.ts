import type { Address } from '@solana/kit'
import type { Account, AccountChange } from './account.ts'

interface SlotChanges {
  readonly slot: number
  /** Each changed account as it was at the end of the previous block. Null for an account that didn't exist. */
  readonly preImages: Map<Address, Account | null>
}

/**
 * Earlier versions of the accounts that changed in each recent slot. The runtime has only the newest versions. A read
 * at `confirmed` or `finalized` gets the version at that commitment's slot from this history.
 */
export class AccountHistory {
  #slots: SlotChanges[] = []

  /** Records changes that transactions made in a slot. Calls must be in ascending order of slots. */
  record(slot: number, changes: readonly AccountChange[]): void {
    let last = this.#slots.at(-1)
    if (last?.slot !== slot) {
      last = { slot, preImages: new Map() }
      this.#slots.push(last)
    }
    for (const { address, before } of changes) {
      // `before` of an account's first change in a slot is the account at the end of the previous block.
      if (!last.preImages.has(address)) last.preImages.set(address, before)
    }
  }

  /**
   * The account as of `slot`. Undefined if the account hasn't changed since that slot. The runtime's newest version is
   * then valid.
   */
  preImageAt(address: Address, slot: number): Account | null | undefined {
    for (const changes of this.#after(slot)) {
      const preImage = changes.preImages.get(address)
      if (preImage !== undefined) return preImage
    }
    return undefined
  }

  /** Every account that changed after `slot`, with its content as of `slot`. */
  preImagesSince(slot: number): Map<Address, Account | null> {
    const result = new Map<Address, Account | null>()
    for (const changes of this.#after(slot)) {
      for (const [address, preImage] of changes.preImages) {
        if (!result.has(address)) result.set(address, preImage)
      }
    }
    return result
  }

  /** Addresses of accounts that changed in slots above `fromSlot`, up to and including `toSlot`. */
  changedBetween(fromSlot: number, toSlot: number): Set<Address> {
    const result = new Set<Address>()
    for (const { slot, preImages } of this.#after(fromSlot)) {
      if (slot > toSlot) break
      for (const address of preImages.keys()) result.add(address)
    }
    return result
  }

  /** Removes earlier versions that no read at `slot` or later can need. */
  forgetUpTo(slot: number): void {
    const first = this.#slots[0]
    if (first === undefined || first.slot > slot) return
    this.#slots = this.#slots.filter((each) => each.slot > slot)
  }

  #after(slot: number): SlotChanges[] {
    const newest = this.#slots.at(-1)
    if (newest === undefined || newest.slot <= slot) return []
    return this.#slots.filter((each) => each.slot > slot)
  }
}
