/**
 * Keeps one balance: the secret that spends it, and the payment that is being made. If the store is lost before the
 * balance is empty, the owner can't pay any more, and the rest returns to the wallet when the balance ends. Only one
 * process at a time can use a balance.
 */
export interface BalanceStore {
  /** The text written last; undefined if there is none. */
  readonly read: () => Promise<string | undefined>
  /**
   * Replaces the whole text, and resolves only once the text is stored durably. After a crash or a power cut, a reader
   * finds either the former text or this one.
   *
   * @param before the text that this one replaces
   * @throws BalanceTakenError, and changes nothing, if the store's text isn't `before`.
   */
  readonly write: (text: string, before: string | undefined) => Promise<void>
}

/** Another process has written to the balance's store since it was read. Nothing was stored; open the balance again. */
export class BalanceTakenError extends Error {
  override readonly name = 'BalanceTakenError'

  constructor() {
    super('another process uses this balance: stop that process, and open the balance again')
  }
}

/** A store for tests. It is lost when the process ends, and then the money is out of reach until the balance ends. */
export function memoryBalance(text?: string): BalanceStore {
  let held = text
  return {
    read: () => Promise.resolve(held),
    write: (next, before) => {
      if (held !== before) return Promise.reject(new BalanceTakenError())
      held = next
      return Promise.resolve()
    },
  }
}
