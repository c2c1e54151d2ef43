import { CommanderError } from 'commander'
import type { PaidBefore } from '@sotto/recovery'
import { CliError } from './cli-error.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { isoOfSeconds } from './output/show-time.ts'
import { nextAfterRefusal, refusalMessage } from './refusal-message.ts'
import { UnfinishedError } from './transfers/unfinished-error.ts'

/** The message and exit code for a failed command. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly next: string
  readonly exitCode: ExitCode
}

const CONTINUE =
  'continue a transfer with --resume, and a top-up with "sotto balance open" and its name'

const PAY_ELSEWHERE = 'nothing was signed; inform the operator, and pay through another service'

/**
 * The members of the SDK's errors that this file reads. The file recognises errors by name, so that `--help` doesn't
 * have to load the SDK.
 */
interface KnownError extends Error {
  readonly code?: string
  readonly retry?: string
  readonly paid?: PaidBefore
  readonly trackingId?: string
  readonly canRefund?: boolean
  readonly mayBeSigned?: boolean
  readonly refusals?: readonly { readonly code: string }[]
}

/** The cause and the next step for an error that a command threw. */
export function explainFailure(error: unknown, isInterrupted: boolean): Failure {
  if (!isInterrupted && error instanceof Error && error.name === 'LineError') {
    const cause = explainFailure(error.cause, false)
    const next = `${cause.next}; the same command continues at this line`
    return { ...cause, message: `${error.message}: ${cause.message}`, next }
  }
  if (error instanceof UnfinishedError) return explainUnfinished(error, isInterrupted)
  if (isInterrupted && error instanceof CliError && error.isSent) {
    const { code, message, next } = error
    return { code, message, next, exitCode: EXIT.interrupted }
  }
  if (isInterrupted && error instanceof Error && error.name === 'LandingError') {
    return { ...explainLanding(error), exitCode: EXIT.interrupted }
  }
  if (isInterrupted) {
    const next = `all progress is saved: ${CONTINUE}; repeat any other command`
    return { code: 'INTERRUPTED', message: 'stopped by Ctrl-C', next, exitCode: EXIT.interrupted }
  }
  if (error instanceof CliError) {
    const { code, message, next, exitCode } = error
    return { code, message, next, exitCode }
  }
  if (error instanceof CommanderError) {
    const next = 'see the options with --help'
    return { code: 'USAGE', message: error.message, next, exitCode: EXIT.usage }
  }
  return explainKnown(error) ?? explainUnknown(error)
}

/**
 * If the state of a transfer is kept, the transfer may be paid. So no next step may suggest repeating the command that
 * began the transfer, because that would pay a second time.
 */
function explainUnfinished(error: UnfinishedError, isInterrupted: boolean): Failure {
  const known = explainFailure(error.cause, isInterrupted)
  const resume = `continue the transfer with: sotto send --resume ${error.transfer}`
  if (isInterrupted) return { ...known, next: `all progress is saved: ${resume}` }
  // The service's own refusal is no proof that nothing was paid.
  const isRefusal = error.cause instanceof Error && error.cause.name === 'SottoApiError'
  if (known.exitCode === EXIT.unavailable || isRefusal) {
    const next = `do not begin it with a new command; once the cause is gone, ${resume}`
    return { ...known, next, exitCode: EXIT.unfinished }
  }
  if (known.next === PAY_ELSEWHERE) {
    const next = `inform the operator, and do not pay in another way while the transfer is unfinished: ${resume}`
    return { ...known, next }
  }
  const next = known.next.includes(CONTINUE)
    ? known.next.replace(CONTINUE, resume)
    : `${known.next}; then ${resume}`
  return { ...known, next }
}

function explainKnown(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined
  const { name, message } = error as KnownError
  switch (name) {
    case 'SottoApiError':
      return explainRefusal(error)
    case 'SottoTransportError': {
      const next = 'check --url and that the service runs, then try again: sotto doctor'
      return { code: 'SERVICE_UNREACHABLE', message, next, exitCode: EXIT.unavailable }
    }
    case 'OrderRefusedError':
      return explainOrder(error)
    case 'UnprovenError': {
      const next = `${CONTINUE}, with another --rpc if the error remains; see: sotto recover show`
      return { code: 'END_UNPROVEN', message, next, exitCode: EXIT.unsafe }
    }
    case 'OverdueError':
      return explainOverdue(error)
    case 'InsufficientFundsError': {
      const next = "add the missing amount to the sender's wallet, then try again"
      return { code: 'FUNDS_MISSING', message, next, exitCode: EXIT.refused }
    }
    case 'DisagreementError': {
      const next = 'keep the ticket and see: sotto recover show'
      return { code: 'SERVICE_DISAGREES', message, next, exitCode: EXIT.unsafe }
    }
    case 'QuoteDeclinedError':
      return { code: 'DECLINED', message, next: 'nothing was paid', exitCode: EXIT.declined }
    case 'SubmissionError': {
      const next = `once the cause is fixed, ${CONTINUE}`
      return { code: 'DEPOSIT_REFUSED', message, next, exitCode: EXIT.refused }
    }
    case 'RecoveryError':
      return explainRecovery(error)
    case 'LandingError':
      return explainLanding(error)
    case 'BalanceError':
      return explainBalance(error)
    case 'BalanceTakenError': {
      const next = 'wait until that process ends, then repeat the command: nothing is paid twice'
      return { code: 'BALANCE_BUSY', message, next, exitCode: EXIT.unavailable }
    }
    case 'PaymentRefusedError': {
      const next =
        'nothing was signed; inform the operator. To pay without the service: sotto recover pay. ' +
        'Do not repeat this command after that, because it would pay again'
      return { code: 'PAYMENT_REFUSED', message, next, exitCode: EXIT.unsafe }
    }
    case 'ProverError': {
      const next = 'reinstall the command together with @sotto/prover'
      return { code: 'PROVER_FAILED', message, next, exitCode: EXIT.failure }
    }
    case 'RateLimitedError': {
      const next = 'try again later, or give a node with higher limits with --rpc'
      return { code: 'RPC_RATE_LIMITED', message, next, exitCode: EXIT.unavailable }
    }
    case 'SolanaError':
      return explainNode(error)
    default:
      return message === 'fetch failed' ? explainNode(error) : undefined
  }
}

function explainOrder(error: KnownError): Failure {
  const { message, mayBeSigned } = error
  if (mayBeSigned === true) {
    const next = `an earlier transaction of this order may still land, so do not pay in another way before the chain shows the end; inform the operator, and ${CONTINUE}`
    return { code: 'ORDER_REFUSED', message, next, exitCode: EXIT.unsafe }
  }
  if (error.refusals?.some(({ code }) => code === 'program_unknown') === true) {
    return explainRecovery({ name: error.name, message, code: 'PROGRAM_UNKNOWN' })
  }
  return { code: 'ORDER_REFUSED', message, next: PAY_ELSEWHERE, exitCode: EXIT.unsafe }
}

function explainOverdue({ message, trackingId = '<ticket>', canRefund }: KnownError): Failure {
  const next =
    canRefund === true
      ? `sotto recover refund ${trackingId}; after that, ${CONTINUE}`
      : 'keep the ticket and inform the operator'
  return { code: 'MONEY_OVERDUE', message, next, exitCode: EXIT.unsafe }
}

function explainRefusal(error: KnownError): Failure {
  const { code = 'REFUSED', retry } = error
  const message = refusalMessage(error)
  if (code === 'UNAUTHORIZED') {
    const next = 'correct SOTTO_API_KEY or the key file; the operator issues keys'
    return { code, message, next, exitCode: EXIT.config }
  }
  if (code === 'NOTE_IN_USE') {
    const next =
      'another payment uses this part of the balance, or has spent it: repeat the command in half an hour'
    return { code, message, next, exitCode: EXIT.unavailable }
  }
  return retry === 'unchanged'
    ? { code, message, next: 'try the same command again later', exitCode: EXIT.unavailable }
    : { code, message, next: nextAfterRefusal(code), exitCode: EXIT.refused }
}

const AGAIN = 'repeat the command: nothing is paid twice'
const BALANCE_NEXT: Readonly<Record<string, readonly [next: string, exitCode: ExitCode]>> = {
  NO_BALANCE: ['open one with: sotto balance open', EXIT.usage],
  BALANCE_EXISTS: ['choose another name', EXIT.usage],
  NOT_OPENED: [
    'nothing was paid; repeat the command with amount and asset to make another top-up',
    EXIT.undelivered,
  ],
  BALANCE_EMPTY: ['open another one with: sotto balance open', EXIT.refused],
  BALANCE_ENDED: ['see: sotto balance show; open another one', EXIT.refused],
  KEY_REUSED: ['give another --key for another payment', EXIT.usage],
  QUOTE_DECLINED: ['nothing was paid', EXIT.declined],
  PAYMENT_EXPIRED: [AGAIN, EXIT.undelivered],
  PAYMENT_MAY_LAND: [
    'repeat the command after that time: nothing is paid twice; "sotto balance show" works meanwhile',
    EXIT.unavailable,
  ],
  SPENT_ELSEWHERE: [
    'somebody else has the secret: close the balance at once; the payment was not made',
    EXIT.unsafe,
  ],
}

function explainBalance({ code = 'BALANCE', message }: KnownError): Failure {
  const [next, exitCode] = BALANCE_NEXT[code] ?? ['see docs/balances.md', EXIT.failure]
  return { code: code === 'QUOTE_DECLINED' ? 'DECLINED' : code, message, next, exitCode }
}

const RECOVERY_NEXT: Readonly<Record<string, string>> = {
  PROGRAM_OTHER: 'correct --program or SOTTO_PROGRAM_ID',
  PROGRAM_UNKNOWN: 'check whose program it is; --accept-program with that hash accepts it',
  ALREADY_SETTLED:
    "see the payee’s account at that time; for a balance that isn’t spent, use a newer ticket, or one with the owner's secret",
  TOO_EARLY: 'deliver it instead, or wait',
  TOO_LATE: 'refund it instead: sotto recover refund',
  NEVER_DEPOSITED:
    'if you paid, use the ticket of your payment; for a balance, use an earlier ticket or another --rpc',
  NOT_DEPOSITED_YET: 'keep the ticket, and repeat the command after that time',
  HISTORY_MISSING: 'give an RPC endpoint with full history (--rpc), or a file of leaves (--leaves)',
  PATH_OUTDATED: 'omit --path, so that the path is computed from the chain',
  WRONG_CLUSTER: "give an endpoint of the ticket's cluster with --rpc",
  TICKET_DIFFERS:
    'use the ticket of this order; for a balance, use an earlier ticket or another --rpc',
  OTHER_KIND: 'a transfer is delivered or refunded, a balance pays or is refunded',
  BALANCE_TOO_SMALL:
    'give an amount that the balance has, and at least one base unit; see: sotto recover show',
  WINDOW_OVER: 'nothing can be done any more',
  CHANGE_DIFFERS:
    'give another RPC endpoint (--rpc); if it shows the same, use the newest ticket, or the software that made the payment',
  PAYEE_UNUSABLE: "give the address of the payee's wallet with --to",
  CLOCK_DIFFERS:
    "correct this machine's clock, or give another RPC endpoint (--rpc); on your own local chain, set SOTTO_LOCAL_CHAIN=1",
  PAID_BEFORE:
    'there is nothing to do. But if the message names another payee, ask another node (--rpc) before you pay ' +
    'again; to make the same payment once more, add --again with the transaction (or unknown)',
}

function explainRecovery({ code = 'RECOVERY', message, paid }: KnownError): Failure {
  const next = RECOVERY_NEXT[code] ?? 'see docs/cli.md'
  const known = paid === undefined ? message : showPaid(code, message, paid)
  const exitCode = code === 'PROGRAM_UNKNOWN' ? EXIT.unsafe : EXIT.unsettleable
  return { code, message: known, next, exitCode }
}

/** Shows the proven payee and time, and the transaction if the node still has it. A payment may leave a rest. */
function showPaid(code: string, message: string, paid: PaidBefore): string {
  const { kind, payee, atSeconds, signature } = paid
  const when = `${isoOfSeconds(atSeconds)} by the chain's clock`
  const by = signature === undefined ? '' : `, in the transaction ${signature}`
  if (code === 'PAID_BEFORE') return `${message}, at ${when}${by}`
  const done = `${kind}${payee === undefined ? '' : ` to ${payee}`} at ${when}${by}`
  return kind === 'paid' ? `${message} (${done})` : `this order was ${done}: nothing is left to pay`
}

const SAME_AGAIN =
  'run the same command again, with a node that you trust (--rpc): then nothing is paid twice'
const LANDING_NEXT: Readonly<Record<string, readonly [next: string, exitCode: ExitCode]>> = {
  SETTLEMENT_FAILED: [SAME_AGAIN, EXIT.failure],
  SETTLEMENT_UNKNOWN: [SAME_AGAIN, EXIT.unavailable],
  SETTLEMENT_DEAD: [
    'run the same command again later, with another node (--rpc), or with a higher --max-priority-fee',
    EXIT.unavailable,
  ],
}

/** If the error has no code, it isn't known whether the settlement landed. */
export function explainLanding({ code = 'SETTLEMENT_UNKNOWN', message }: KnownError): Failure {
  const [next, exitCode] = LANDING_NEXT[code] ?? ['see: sotto recover show', EXIT.failure]
  return { code, message, next, exitCode }
}

function explainNode(error: Error): Failure {
  const message = `the RPC endpoint does not answer correctly: ${withCause(error)}`
  const next = 'check --rpc and that the node runs, then try again: sotto doctor'
  return { code: 'RPC_FAILED', message, next, exitCode: EXIT.unavailable }
}

/** The first lines of an error and of its cause. The stack is omitted, because it doesn't help the user. */
function withCause({ message, cause }: Error): string {
  const [first = ''] = message.split('\n')
  if (!(cause instanceof Error)) return first
  const [why = ''] = cause.message.split('\n')
  return why === '' ? first : `${first}: ${why}`
}

/** An unknown error is a bug of this command, so its stack is shown. */
function explainUnknown(error: unknown): Failure {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: 'INTERNAL', message, next: 'please report this', exitCode: EXIT.failure }
}
