import { unixSeconds } from '@sotto/protocol'
import { isoOfSeconds } from '../output/show-time.ts'
import { CliError } from '../cli-error.ts'
import { nowMs } from '../clock.ts'
import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { QuestionFiles, type AskedQuestion } from '../mcp/ledger/question-files.ts'
import { joinLimits, readLimitsFile, type Confirmer } from '../mcp/limits.ts'
import { readOpened } from '../balances/use-balance.ts'

/** Options of the server. Amounts are in whole coins of the balance's asset, fees included. */
export interface McpOptions {
  readonly maxPayment?: string
  readonly maxDay?: string
  readonly confirmAbove?: string
  readonly confirm?: Confirmer
  readonly allow?: readonly string[]
  readonly limits?: string
}

/** `mcp`: offers the tools of one balance to an agent, over stdin and stdout. */
export async function runMcp(
  context: CliContext,
  name: string,
  options: McpOptions,
): Promise<void> {
  const { maxPayment, maxDay, confirmAbove, confirm, allow, limits: file } = options
  const given = { maxPayment, maxDay, confirmAbove, confirm, recipients: allow }
  const limits = joinLimits(given, file === undefined ? {} : await readLimitsFile(file))
  await readOpened(context.settings.home, name)
  const { serve } = await import('../mcp/serve.ts')
  await serve(context, name, limits)
}

/** `mcp approve`: a person confirms or declines a payment in a terminal. */
export async function runMcpApprove(context: CliContext, id: string): Promise<ExitCode> {
  const { output, settings, signal } = context
  const questions = new QuestionFiles(settings.home)
  const readQuestion = async (mayHaveEnded: boolean) => {
    const read = await questions.read(id)
    if (read !== undefined && (mayHaveEnded || read.expiresAtMs > nowMs())) return read
    throw new CliError(
      EXIT.usage,
      'QUESTION_UNKNOWN',
      'no payment is waiting for this confirmation, or the confirmation has expired',
      'have the agent call "send" again, which asks for another confirmation',
    )
  }
  const question = await readQuestion(false)
  if (!output.isInteractive) {
    throw new CliError(
      EXIT.usage,
      'NOBODY_TO_ASK',
      'a confirmation needs a person at a terminal',
      'run the command in a terminal, without redirecting its input',
    )
  }
  output.note(showQuestion(question))
  const isYes = await output.ask('Pay it?', signal)
  // The server reads no answer to a question that was replaced or decided meanwhile. To a question that has ended, it
  // reads only a "no".
  await readQuestion(!isYes)
  await questions.answer(id, isYes ? 'yes' : 'no')
  const answer = { id, answer: isYes ? 'yes' : 'no' }
  output.result(answer, () =>
    isYes ? 'Confirmed: the agent can call "send" again.' : 'Declined: it will not be paid.',
  )
  return isYes ? EXIT.done : EXIT.declined
}

const showQuestion = ({ balance, to, amount, most, asset, expiresAtMs }: AskedQuestion): string =>
  [
    `An agent asks to pay ${amount} ${asset}`,
    `  to       ${to}`,
    `  from     the balance "${balance}"`,
    `  at most  ${most}, fees included`,
    `  until    ${isoOfSeconds(unixSeconds(BigInt(expiresAtMs) / 1_000n))}`,
  ].join('\n')
