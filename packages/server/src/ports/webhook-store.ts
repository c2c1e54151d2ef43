/** Where a partner wants to be told of its orders. */
export interface Webhook {
  readonly id: string
  readonly accountId: string
  readonly url: string
  readonly createdAtMs: number
  /** Since which hour nothing is sent there; undefined while something is. */
  readonly disabledAtMs: number | undefined
  /** Which of its secrets signs, from 1 on. */
  readonly secretVersion: number
  /** Until when the secret before signs too. */
  readonly overlapUntilMs: number | undefined
}

/** Endpoints of accounts. Whatever names an account finds its own endpoints and nobody else's. */
export interface WebhookStore {
  /** False where the account has `most` already. */
  readonly tryAdd: (webhook: Webhook, most: number) => Promise<boolean>
  /** An account's endpoints, oldest first. */
  readonly list: (accountId: string) => Promise<Webhook[]>
  readonly remove: (accountId: string, id: string) => Promise<boolean>
  /** Begins another secret, beside which the one before signs until then. */
  readonly tryRotate: (
    accountId: string,
    id: string,
    overlapUntilMs: number,
  ) => Promise<Webhook | undefined>
  readonly tryEnable: (accountId: string, id: string) => Promise<Webhook | undefined>
  /** Sends nothing there any more. By a whole hour: the exact time would be that of a message. */
  readonly disable: (id: string, hourMs: number) => Promise<void>
}
