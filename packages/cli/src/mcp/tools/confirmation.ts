import { unixSeconds } from '@sotto/protocol'
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { toDecimal } from '../../amounts/decimal.ts'
import { isoOfSeconds } from '../../output/show-time.ts'
import type { Question } from '../ledger/entry.ts'
import type { OpenDesk } from '../open-desk.ts'
import type { Confirmation } from '../payments/confirmation.ts'
import type { PaymentOrder } from '../payments/purse.ts'
import { ToolError } from '../tool-error.ts'

/**
 * Returns the functions that read a person's answers. An answer counts only if it comes after its question, and through
 * the channel in which the question was asked. So a host can't answer a question that is open in a terminal.
 */
export function confirmationOf(
  server: McpServer,
  { balance, asset, questions }: OpenDesk,
  context: ServerContext,
): Confirmation {
  const { inputResponses } = context.mcpReq
  return {
    canAsk: canAsk(server, context),
    answer: async ({ id, by }) => {
      if (by === 'terminal') return questions.answerTo(id)
      const answer = inputResponse(inputResponses, id)
      if (answer.kind !== 'elicit') return undefined
      return answer.action === 'accept' && answer.content?.['pay'] === true ? 'yes' : 'no'
    },
    publish: async ({ id, most, expiresAtMs }, { to, amount }) => {
      await questions.ask(id, {
        ...{ balance, to, expiresAtMs },
        amount: toDecimal(amount, asset.decimals),
        most: toDecimal(most, asset.decimals),
        asset: asset.name === asset.mint ? asset.mint : `${asset.name} (${asset.mint})`,
      })
    },
    forget: ({ id }) => questions.remove(id),
  }
}

/**
 * True if the host declares that it can show forms. In the newer protocol the host declares this in each request, in
 * the older protocol only once.
 */
function canAsk(server: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope }
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities()
  const { elicitation } = (declared ?? {}) as ClientCapabilities
  if (elicitation === undefined) return false
  return 'form' in elicitation || !('url' in elicitation)
}

/**
 * Asks the person through the host. The recipient and the amount are the only parts of the question that come from the
 * agent.
 */
export function askThroughHost(
  { id, most }: Question,
  { to, amount }: PaymentOrder,
  { balance, asset }: OpenDesk,
): InputRequiredResult {
  const [pays, takes] = [amount, most].map((units) => toDecimal(units, asset.decimals))
  const message =
    `Pay ${pays} ${asset.name} to ${to}? At most ${takes} ${asset.name}, fees included, ` +
    `leaves the balance "${balance}". Compare every character of the address.`
  const pay = { type: 'boolean', title: 'Pay', description: `Pay ${pays} ${asset.name}` } as const
  return inputRequired({
    inputRequests: {
      [id]: inputRequired.elicit({
        message,
        requestedSchema: { type: 'object', properties: { pay }, required: ['pay'] },
      }),
    },
  })
}

/** The refusal of a payment until a person has confirmed it in a terminal. */
export const askInTerminal = ({ id, expiresAtMs }: Question): ToolError =>
  new ToolError(
    'CONFIRMATION_NEEDED',
    'a person must confirm this payment; nothing is paid yet',
    `ask the person to run "sotto mcp approve ${id}" in a terminal by ` +
      `${isoOfSeconds(unixSeconds(BigInt(expiresAtMs) / 1_000n))}, then call "send" again with the same arguments`,
  )
