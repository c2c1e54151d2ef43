/**
 * Keeps one balance: the secret that spends it, and which payment is being made. Losing it before the balance is
 * empty loses the owner's access; the rest then returns to the wallet when the balance ends. One process at a time
 * uses a balance.
 */
export interface BalanceStore {
  /** The text written last; undefined if there is none. */
  readonly read: () => Promise<string | undefined>
  /**
   * Replaces the text as a whole, and must have stored it durably when it resolves: a reader after a crash or a
   * power cut finds either the former text or this one.
   *
   * @param before the text that this one replaces
   * @throws BalanceTakenError, and changes nothing, if the store holds another text than `before`.
   */
  readonly write: (text: string, before: string | undefined) => Promise<void>
}

/** Another process has written to the balance's store meanwhile. Nothing was stored; open the balance again. */
export class BalanceTakenError extends Error {
  override readonly name = 'BalanceTakenError'

  constructor() {
    super('another process uses this balance: end it, and open the balance again')
  }
}

/** A store for tests: what it holds is gone with the process, and with it the money until the balance ends. */
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
