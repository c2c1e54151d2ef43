import type { Address } from '@sotto/protocol'

/** A recipient among its decoys. */
export interface HiddenRecipient {
  /** The recipient and its decoys, shuffled. */
  readonly wallets: readonly Address[]
  /** The recipient's index in `wallets`. */
  readonly place: number
  readonly madeAtMs: number
  /** The account that requested the quote; undefined as soon as a delivery has used these decoys. */
  readonly asker: string | undefined
}

/**
 * Keeps the decoys of at most `most` recipients. At this limit, the decoys of a new recipient replace the decoys of an
 * old recipient. If at least half of the recipients belong to deliveries, the oldest recipient of a delivery is
 * dropped, so that deliveries leave room for quotes. Otherwise, the asker with the most recipients loses its oldest
 * recipient, so that an asker of many quotes displaces only its own recipients. The recipients are grouped by asker,
 * because a search through all of them would take as long as making new decoys.
 */
export class KeptDecoys {
  readonly #most: number
  readonly #hidden = new Map<Address, HiddenRecipient>()
  /** The recipients of each asker, oldest first. A group that becomes empty is removed. */
  readonly #groups = new Map<string | undefined, Set<Address>>()

  constructor(most: number) {
    this.#most = most
  }

  get(recipient: Address): HiddenRecipient | undefined {
    return this.#hidden.get(recipient)
  }

  set(recipient: Address, hidden: HiddenRecipient): void {
    this.#delete(recipient)
    if (this.#hidden.size >= this.#most) this.#dropOne()
    this.#hidden.set(recipient, hidden)
    const group = this.#groups.get(hidden.asker)
    if (group === undefined) this.#groups.set(hidden.asker, new Set([recipient]))
    else group.add(recipient)
  }

  /** Drops the decoys that were made before `sinceMs`. */
  dropOlder(sinceMs: number): void {
    for (const [recipient, { madeAtMs }] of this.#hidden) {
      if (madeAtMs < sinceMs) this.#delete(recipient)
    }
  }

  #delete(recipient: Address): void {
    const hidden = this.#hidden.get(recipient)
    if (hidden === undefined) return
    this.#hidden.delete(recipient)
    const group = this.#groups.get(hidden.asker)
    group?.delete(recipient)
    if (group?.size === 0) this.#groups.delete(hidden.asker)
  }

  #dropOne(): void {
    const [oldest] = this.#groupToShrink() ?? []
    if (oldest !== undefined) this.#delete(oldest)
  }

  #groupToShrink(): ReadonlySet<Address> | undefined {
    const delivered = this.#groups.get(undefined)
    if (delivered !== undefined && delivered.size >= this.#most / 2) return delivered
    let largest: ReadonlySet<Address> | undefined
    for (const [asker, group] of this.#groups) {
      if (asker !== undefined && group.size > (largest?.size ?? 0)) largest = group
    }
    return largest
  }
}
