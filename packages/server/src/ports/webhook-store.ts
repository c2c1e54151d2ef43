/** A partner's endpoint, which receives the events of the partner's orders. */
export interface Webhook {
  readonly id: string
  readonly accountId: string
  readonly url: string
  readonly createdAtMs: number
  /** The hour in which the endpoint was disabled; undefined while the endpoint is enabled. */
  readonly disabledAtMs: number | undefined
  /** The number of requests that enabled the endpoint. */
  readonly timesEnabled: number
  /** The version of the secret that signs messages. Versions start at 1. */
  readonly secretVersion: number
  /** The time until which messages are also signed with the earlier secrets. */
  readonly overlapUntilMs: number | undefined
}

/** The endpoints of accounts. A method that takes an account finds only the endpoints of that account. */
export interface WebhookStore {
  /** Adds an endpoint. Returns false if the account already has `most` endpoints. */
  readonly tryAdd: (webhook: Webhook, most: number) => Promise<boolean>
  /** An account's endpoints, oldest first. */
  readonly list: (accountId: string) => Promise<Webhook[]>
  readonly remove: (accountId: string, id: string) => Promise<boolean>
  /**
   * Creates the next version of the secret. Until the overlap ends, messages are also signed with the earlier secrets.
   */
  readonly tryRotate: (
    accountId: string,
    id: string,
    overlapUntilMs: number,
  ) => Promise<Webhook | undefined>
  readonly tryEnable: (accountId: string, id: string) => Promise<Webhook | undefined>
  /**
   * Stops sending to an endpoint. Does nothing if the endpoint was enabled again: then `timesEnabled` has changed. Only
   * the hour is stored, because the exact time would reveal when a message was sent.
   */
  readonly disable: (
    endpoint: Pick<Webhook, 'id' | 'timesEnabled'>,
    hourMs: number,
  ) => Promise<void>
}
