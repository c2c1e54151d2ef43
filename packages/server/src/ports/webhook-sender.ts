/** A message in the format of Standard Webhooks, without its signature. */
export interface WebhookMessage {
  readonly url: string
  /** The header `webhook-id`. It is the same in every attempt to send the message. */
  readonly id: string
  /** The header `webhook-timestamp`, in seconds since 1970. */
  readonly timestampSeconds: number
  readonly body: string
  /** The secrets that sign the message. The message gets one signature for each secret. */
  readonly secrets: readonly Uint8Array[]
}

export type SendResult =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'refused' | 'timeout' | 'unreachable' }

/**
 * Sends messages to the URLs that partners have registered. Refuses URLs that only this machine or its network can
 * reach.
 */
export interface WebhookSender {
  /**
   * Returns the reason why an endpoint can't be registered; undefined if it can. Resolves the host name of the
   * endpoint.
   */
  readonly refusalOf: (url: string) => Promise<string | undefined>
  /** Sends the message once. The receiver's behaviour never makes this method throw. */
  readonly send: (message: WebhookMessage) => Promise<SendResult>
}
