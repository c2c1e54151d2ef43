/** A message as Standard Webhooks has it, but for its signature. */
export interface WebhookMessage {
  readonly url: string
  /** `webhook-id`: the same at every attempt. */
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

/** Sends to addresses that partners name, and to none that only this machine or network can reach. */
export interface WebhookSender {
  /** Why an endpoint can't be registered; undefined where it can. Asks the name service. */
  readonly refusalOf: (url: string) => Promise<string | undefined>
  /** Sends once. Never throws for what the other side does. */
  readonly send: (message: WebhookMessage) => Promise<SendResult>
}
