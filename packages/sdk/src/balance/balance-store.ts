/**
 * Keeps one balance: the secret that spends it, and the payment that is in progress. If the store is lost and no ticket
 * is saved elsewhere, the owner can't make payments any more. The service then returns the rest to the wallet when the
 * balance ends, except if `autoReturn` is false: then the rest is lost. Only one process at a time can make payments
 * from a balance.
 */
export interface BalanceStore {
  /** The text that was written last; undefined if nothing has been written. */
  readonly read: () => Promise<string | undefined>
  /**
   * Replaces the whole text, and resolves only once the new text is stored durably. After a crash or a power cut, a
   * reader must find either the previous text or the new text.
   *
   * @param before the text that the new text replaces
   * @throws BalanceTakenError if the store's text isn't `before`. In that case the store stays unchanged.
   */
  readonly write: (text: string, before: string | undefined) => Promise<void>
}

/**
 * Another process has written to the balance's store since this process read it. Nothing was stored. Open the balance
 * again.
 */
export class BalanceTakenError extends Error {
  override readonly name = 'BalanceTakenError'

  constructor() {
    super('another process uses this balance: stop that process, and open the balance again')
  }
}

/**
 * A store for tests. Its content is lost when the process ends. Without a saved ticket, no one can then spend
 * the money until the balance ends and the rest returns to the wallet.
 */
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
