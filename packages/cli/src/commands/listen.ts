import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { forwardEvent, secretBytes } from '../listen/forward-event.ts'
import { followEvents } from '../listen/follow-events.ts'
import { flat } from '../output/printable.ts'

export interface ListenOptions {
  readonly forwardTo?: string
  readonly order?: string
  readonly interval: number
}

/** `listen`: prints each status change of orders, and forwards it to a receiver on this machine. */
export async function runListen(context: CliContext, options: ListenOptions): Promise<void> {
  const { output, signal } = context
  const { webhookSecret } = context.settings
  const { forwardTo, interval } = options
  if (forwardTo !== undefined) assertUrl(forwardTo)
  const secret = webhookSecret === undefined ? undefined : secretBytes(webhookSecret)
  const client = await context.client()
  output.note(
    forwardTo === undefined
      ? 'Listening; Ctrl-C ends.'
      : `Forwarding to ${forwardTo}; Ctrl-C ends.`,
  )
  const events = followEvents(client, {
    ...{ trackingId: options.order, intervalMs: interval * 1_000, signal },
  })
  for await (const event of events) {
    const answer =
      forwardTo === undefined ? null : await forwardEvent(forwardTo, event, secret, signal)
    output.result({ ...event, forwarded: answer }, () =>
      flat(
        [
          event.type,
          event.timestamp,
          event.data.trackingId,
          answer === null ? '' : `-> ${answer}`,
        ].join('  '),
      ),
    )
    // The process that reads this command's output has ended.
    if (forwardTo === undefined && (await output.written()) !== undefined) return
  }
}

function assertUrl(text: string): void {
  const isHttp = URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
  if (isHttp) return
  const next = 'give the receiver’s address, such as http://127.0.0.1:3000/webhooks'
  throw new CliError(EXIT.usage, 'URL_INVALID', '--forward-to is not an http URL', next)
}
