import type { Address } from '@sotto/protocol'

export interface Crowd {
  readonly wallets: readonly Address[]
  readonly place: number
  readonly madeAtMs: number
  /** The account that requested the quote; undefined as soon as a delivery has used this crowd. */
  readonly asker: string | undefined
}

/**
 * Keeps at most `most` crowds. When it is full, a new crowd replaces an old one. If deliveries have at least half of
 * all crowds, the oldest delivery's crowd is dropped, so deliveries leave room for quotes. Otherwise, the oldest crowd
 * of the asker with the most crowds is dropped, so an asker of many quotes displaces only its own crowds. The crowds
 * are grouped by asker, because a search through all crowds would take as long as making a new crowd.
 */
export class KeptCrowds {
  readonly #most: number
  readonly #crowds = new Map<Address, Crowd>()
  /** The recipients of each asker's crowds, oldest first. A group that becomes empty is removed. */
  readonly #groups = new Map<string | undefined, Set<Address>>()

  constructor(most: number) {
    this.#most = most
  }

  get(recipient: Address): Crowd | undefined {
    return this.#crowds.get(recipient)
  }

  set(recipient: Address, crowd: Crowd): void {
    this.#delete(recipient)
    if (this.#crowds.size >= this.#most) this.#dropOne()
    this.#crowds.set(recipient, crowd)
    const group = this.#groups.get(crowd.asker)
    if (group === undefined) this.#groups.set(crowd.asker, new Set([recipient]))
    else group.add(recipient)
  }

  /** Drops the crowds that were made before `sinceMs`. */
  dropOlder(sinceMs: number): void {
    for (const [recipient, { madeAtMs }] of this.#crowds) {
      if (madeAtMs < sinceMs) this.#delete(recipient)
    }
  }

  #delete(recipient: Address): void {
    const crowd = this.#crowds.get(recipient)
    if (crowd === undefined) return
    this.#crowds.delete(recipient)
    const group = this.#groups.get(crowd.asker)
    group?.delete(recipient)
    if (group?.size === 0) this.#groups.delete(crowd.asker)
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
