import {
  McpServer,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { toDecimal } from '../../amounts/decimal.ts'
import { isoOfSeconds } from '../../output/show-time.ts'
import { readPayment, type PaymentArguments } from './arguments.ts'
import { askInTerminal, askThroughHost, confirmationOf } from './confirmation.ts'
import { quotePayment } from './quote.ts'
import * as schemas from './schemas.ts'
import { paymentOf, sentenceOf } from './show-payment.ts'
import { answering, resultOf } from './tool-result.ts'
import type { Session } from '../session.ts'
import { WAIT_MS, within } from '../session.ts'
import { ToolError } from '../tool-error.ts'

const INSTRUCTIONS =
  'Pays out of one private balance on Solana, within limits that a person has set and no tool can change. ' +
  'All amounts are decimal strings in whole coins. Call "balance" first; it names the asset and the limits.'

const { To, Amount, Asset, Key } = schemas
const PAYMENTS_SHOWN = 20
const READS = { readOnlyHint: true, destructiveHint: false, openWorldHint: true } as const
const PAYS = {
  ...{ readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
} as const

export interface ServedBy {
  readonly session: Session
  readonly version: string
  /** Writes the code of a failure to the log. The arguments are omitted, because they contain addresses and amounts. */
  readonly report: (tool: string, code: string) => void
}

/** Builds a server with the four tools. Each connection has its own server, and all servers share the session. */
export function buildServer(served: ServedBy): McpServer {
  const server = new McpServer(
    { name: 'sotto', title: 'Sotto balance', version: served.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  registerBalance(server, served)
  registerQuote(server, served)
  registerSend(server, served)
  registerStatus(server, served)
  return server
}

function registerBalance(server: McpServer, { session, report }: ServedBy): void {
  const config = {
    title: 'Show the balance',
    description:
      "Shows the balance's remaining value, its asset, its end, and the limits for payments. Pays nothing.",
    inputSchema: z.strictObject({}),
    outputSchema: schemas.BalanceResult,
    annotations: READS,
  }
  server.registerTool('balance', config, () =>
    answering(
      (code) => report('balance', code),
      async () => {
        const { balance, asset, desk, state } = await session.desk()
        const { status, value, endsAt } = await within(state(), WAIT_MS, () => {
          const next = 'call "status" to see that payment, and call this tool again later'
          throw new ToolError(
            'PAYMENT_UNDER_WAY',
            'a payment out of the balance is under way',
            next,
          )
        })
        const show = (units: bigint) => toDecimal(units, asset.decimals)
        const { maxPayment, maxDay, confirmAbove, recipients } = desk.limits
        const left = show(value)
        const limits = {
          ...{ maxPayment: show(maxPayment), maxDay: show(maxDay) },
          ...{ leftToday: show(desk.leftToday), confirmAbove: show(confirmAbove) },
          recipients: recipients === undefined ? null : [...recipients],
        }
        const { name, mint, decimals } = asset
        const text =
          `${left} ${name} are left. Now one payment may take at most ${limits.maxPayment} ${name}, and all payments ` +
          `together at most ${limits.leftToday} ${name}, fees included.`
        const shown = { balance, asset: name, mint, decimals, status, left, limits }
        return resultOf({ ...shown, endsAt: isoOfSeconds(endsAt) }, text)
      },
    ),
  )
}

function registerQuote(server: McpServer, { session, report }: ServedBy): void {
  const config = {
    title: 'Quote a payment',
    description:
      'Shows what a payment would cost now, whether the limits allow it, and whether a person has to confirm it. Pays and reserves nothing; the fee may change until "send".',
    inputSchema: z.strictObject({ to: To, amount: Amount, asset: Asset }),
    outputSchema: schemas.QuoteResult,
    annotations: READS,
  }
  server.registerTool('quote', config, (given) =>
    answering(
      (code) => report('quote', code),
      async () => {
        const opened = await session.desk()
        return quotePayment(opened, await readPayment(opened, given))
      },
    ),
  )
}

function registerSend(server: McpServer, served: ServedBy): void {
  const config = {
    title: 'Pay',
    description:
      'Pays a wallet out of the balance. The recipient gets exactly "amount"; fees come on top. A payment cannot be taken back. If a call fails or times out, repeat it with the same key and arguments: the payment is made once. A payment may take minutes; then the state is "sending", and "status" shows the end.',
    inputSchema: z.strictObject({ key: Key, to: To, amount: Amount, asset: Asset }),
    outputSchema: schemas.PaymentResult,
    annotations: PAYS,
  }
  server.registerTool('send', config, (given, context) =>
    answering(
      (code) => served.report('send', code),
      () => send(server, served, given, context),
    ),
  )
}

async function send(
  server: McpServer,
  { session }: ServedBy,
  given: PaymentArguments & { readonly key: string },
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { key } = given
  const opened = await session.desk()
  const { asset, desk } = opened
  const order = { key, ...(await readPayment(opened, given)) }
  const confirmation = confirmationOf(server, opened, context)
  const sent = await desk.send(order, confirmation)
  const show = () => {
    const entry = desk.find(key)
    if (entry === undefined) {
      const next = 'ask the person who runs this server to report this error'
      throw new ToolError('INTERNAL', 'the ledger has no record of this payment', next)
    }
    return resultOf(paymentOf(key, entry, asset), sentenceOf(key, entry, asset))
  }
  switch (sent.kind) {
    case 'ended':
      return show()
    case 'question':
      if (sent.question.by === 'client') return askThroughHost(sent.question, order, opened)
      throw askInTerminal(sent.question)
    case 'started': {
      const end = await within(sent.done, WAIT_MS, () => undefined)
      if (end instanceof ToolError) throw end
      return show()
    }
  }
}

function registerStatus(server: McpServer, { session, report }: ServedBy): void {
  const config = {
    title: 'Show payments',
    description:
      'Shows the payment with the given key. If no key is given, shows the newest payments that were requested from this server. Pays nothing.',
    inputSchema: z.strictObject({ key: Key.optional() }),
    outputSchema: schemas.StatusResult,
    annotations: { ...READS, openWorldHint: false },
  }
  server.registerTool('status', config, ({ key }) =>
    answering(
      (code) => report('status', code),
      async () => {
        const { asset, desk } = await session.desk()
        const found = key === undefined ? newest(desk.entries) : [[key, desk.find(key)] as const]
        const payments = found.map(([name, entry]) => {
          if (entry !== undefined) return { name, entry }
          const next = 'check the key; "send" was never called with this key, so nothing was paid'
          throw new ToolError('PAYMENT_UNKNOWN', 'no payment has this key', next)
        })
        const text = payments.map(({ name, entry }) => sentenceOf(name, entry, asset)).join(' ')
        return resultOf(
          { payments: payments.map(({ name, entry }) => paymentOf(name, entry, asset)) },
          text === '' ? 'No payment was requested from this server yet.' : text,
        )
      },
    ),
  )
}

const newest = <Entry extends { readonly changedAtMs: number }>(
  entries: readonly (readonly [string, Entry])[],
): readonly (readonly [string, Entry])[] =>
  entries.toSorted(([, a], [, b]) => b.changedAtMs - a.changedAtMs).slice(0, PAYMENTS_SHOWN)
