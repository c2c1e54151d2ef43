import type { FuzzAnswer, FuzzRequest } from './fuzz-request.ts'

export type Members = Readonly<Record<string, unknown>>

export interface KnownOrder {
  readonly trackingId: string
  readonly body: Members
  readonly key: string | undefined
  /** The answer's bytes. */
  readonly text: string
}

/** The body of a request, which the run remembers if the request creates a quote or an order. */
export type Sent =
  | { readonly kind: 'quote'; readonly body: Members }
  | { readonly kind: 'order'; readonly body: Members; readonly key: string | undefined }

const KEPT = 20

/** The answers that the run has received so far. Later requests repeat or change them. */
export class Memory {
  /** Bodies of POST /order for unused quotes. */
  readonly quotes: Members[] = []
  readonly orders: KnownOrder[] = []
  readonly cursors: string[] = []
  /** The registered webhook endpoints. */
  readonly webhooks: string[] = []

  learn({ sent, method }: FuzzRequest, { status, text }: FuzzAnswer): void {
    if (status !== 200) return
    const answer = JSON.parse(text) as Record<string, never>
    if (answer['nextCursor']) keep(this.cursors, answer['nextCursor'] as string)
    const webhook = answer['webhook'] as { webhookId: string } | undefined
    if (webhook !== undefined) this.#learnWebhook(webhook.webhookId, method === 'DELETE')
    const made = sent as Sent | undefined
    if (made?.kind === 'quote') {
      const { senderAddress, recipientAddress, feeBps, feeRecipientAddress } = made.body
      const { balanceKey, balanceSeconds, autoReturn } = made.body
      const fee = feeBps === undefined ? {} : { feeBps }
      const partner = feeRecipientAddress === undefined ? {} : { feeRecipientAddress }
      keep(this.quotes, {
        quote: answer['quote'],
        senderAddress,
        recipientAddress,
        ...fee,
        ...partner,
        ...(balanceKey === undefined ? {} : { balanceKey }),
        ...(balanceSeconds === undefined ? {} : { balanceSeconds }),
        ...(autoReturn === undefined ? {} : { autoReturn }),
      })
    }
    if (made?.kind === 'order') {
      const { trackingId } = answer['order']! as { trackingId: string }
      keep(this.orders, { trackingId, body: made.body, key: made.key, text })
      const used = this.quotes.findIndex(({ quote }) => quote === made.body['quote'])
      if (used >= 0) this.quotes.splice(used, 1)
    }
  }

  #learnWebhook(webhookId: string, isGone: boolean): void {
    const at = this.webhooks.indexOf(webhookId)
    if (at >= 0) this.webhooks.splice(at, 1)
    if (!isGone) keep(this.webhooks, webhookId)
  }
}

function keep<Value>(list: Value[], value: Value): void {
  list.push(value)
  if (list.length > KEPT) list.shift()
}
