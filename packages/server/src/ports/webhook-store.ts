/** An endpoint at which a partner receives its orders' changes. */
export interface Webhook {
  readonly id: string
  readonly accountId: string
  readonly url: string
  readonly createdAtMs: number
  /** The hour since which nothing is sent there; undefined while the endpoint is enabled. */
  readonly disabledAtMs: number | undefined
  /** The number of the secret that signs, starting at 1. */
  readonly secretVersion: number
  /** The time until which the previous secret signs too. */
  readonly overlapUntilMs: number | undefined
}

/** Endpoints of accounts. A method that takes an account finds only that account's endpoints. */
export interface WebhookStore {
  /** False if the account has `most` already. */
  readonly tryAdd: (webhook: Webhook, most: number) => Promise<boolean>
  /** An account's endpoints, oldest first. */
  readonly list: (accountId: string) => Promise<Webhook[]>
  readonly remove: (accountId: string, id: string) => Promise<boolean>
  /** Starts another secret; the previous one signs too until the overlap ends. */
  readonly tryRotate: (
    accountId: string,
    id: string,
    overlapUntilMs: number,
  ) => Promise<Webhook | undefined>
  readonly tryEnable: (accountId: string, id: string) => Promise<Webhook | undefined>
  /** Stops sending to it. Only the hour is stored, because the exact time would reveal the time of a message. */
  readonly disable: (id: string, hourMs: number) => Promise<void>
}
