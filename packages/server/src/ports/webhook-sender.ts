/** A message in the form of Standard Webhooks, without its signature. */
export interface WebhookMessage {
  readonly url: string
  /** `webhook-id`: the same in every attempt. */
  readonly id: string
  /** `webhook-timestamp`, seconds since 1970. */
  readonly timestampSeconds: number
  readonly body: string
  /** One signature for each. */
  readonly secrets: readonly Uint8Array[]
}

export type SendResult =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'refused' | 'timeout' | 'unreachable' }

/** Sends to addresses that partners name, except those that only this machine or network can reach. */
export interface WebhookSender {
  /** The reason why an endpoint can't be registered; undefined if it can. Resolves its host name. */
  readonly refusalOf: (url: string) => Promise<string | undefined>
  /** Sends once. Never throws because of the other side's behaviour. */
  readonly send: (message: WebhookMessage) => Promise<SendResult>
}
