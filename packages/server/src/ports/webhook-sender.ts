/** A message in the form of Standard Webhooks, without its signature. */
export interface WebhookMessage {
  readonly url: string
  /** The header `webhook-id`: the same in every attempt. */
  readonly id: string
  /** The header `webhook-timestamp`, seconds since 1970. */
  readonly timestampSeconds: number
  readonly body: string
  /** The signing secrets. The message gets one signature for each. */
  readonly secrets: readonly Uint8Array[]
}

export type SendResult =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'refused' | 'timeout' | 'unreachable' }

/** Sends to the URLs that partners have registered. Refuses URLs that only this machine or its network can reach. */
export interface WebhookSender {
  /** The reason why an endpoint can't be registered; undefined if it can. Resolves the host name of the endpoint. */
  readonly refusalOf: (url: string) => Promise<string | undefined>
  /** Sends once. Never throws because of the other side's behaviour. */
  readonly send: (message: WebhookMessage) => Promise<SendResult>
}
