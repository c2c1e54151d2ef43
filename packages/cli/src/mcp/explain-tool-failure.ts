import { parseAmount } from '@sotto/protocol'
import { CliError } from '../cli-error.ts'
import { ToolError } from './tool-error.ts'

const LATER = 'call the same tool again later, with the same arguments'
const ASK = 'ask the person who runs this server'

/** Our own text for each of the service's refusals. The service's texts could contain instructions to the agent. */
const REFUSALS: Readonly<Record<string, readonly [message: string, next: string]>> = {
  RECIPIENT_NOT_PAYABLE: [
    'this recipient cannot receive the asset',
    'give the address of an ordinary wallet',
  ],
  SCREENING_REFUSED: ['the service refuses payments to this recipient', `do not retry; ${ASK}`],
  UNAUTHORIZED: ['the API key is not valid', `${ASK} to set a valid key`],
  FORBIDDEN: ['the API key may not make payments', `${ASK} to set a key that may make payments`],
  RATE_LIMITED: ['the service has received too many requests', LATER],
  UPSTREAM_UNAVAILABLE: ['the service cannot reach the chain now', LATER],
  NOTE_IN_USE: ['another payment uses this part of the balance, or has spent it', LATER],
}

const SPENT_ELSEWHERE = [
  'another holder of the balance has made a payment, so your payment was not made',
  'call the tool again with the same key, and inform the person who runs this server',
] as const

/** The reason why a balance can't pay, and the next step, for each of the SDK's codes. */
const BALANCE: Readonly<Record<string, readonly [message: string, next: string]>> = {
  NO_BALANCE: ['the balance does not exist on this machine', `${ASK} to open the balance`],
  NOT_OPENED: [
    'the deposit of the balance has not landed yet',
    `${ASK} to finish opening the balance`,
  ],
  BALANCE_EMPTY: ['the balance is empty', `${ASK} to open another balance`],
  BALANCE_ENDED: [
    'the balance has ended, and its rest can only return to the wallet that paid in',
    ASK,
  ],
  KEY_REUSED: ['this key belongs to another payment', 'use a new key for a new payment'],
  QUOTE_DECLINED: ['the fee has risen since it was checked; nothing was paid', LATER],
  PAYMENT_EXPIRED: [
    'the payment expired several times; according to the node, nothing was paid',
    LATER,
  ],
  SPENT_ELSEWHERE,
}

/**
 * Describes why a tool call failed, for an agent to read. The text never contains text from outside, a node's
 * address, or a secret.
 */
export function explainToolFailure(error: unknown): ToolError {
  if (error instanceof ToolError) return error
  if (error instanceof CliError) return new ToolError(error.code, error.message, error.next)
  const { name, code, retry, min, max, until } = (error ?? {}) as {
    readonly [Member in 'name' | 'code' | 'retry' | 'min' | 'max' | 'until']?: unknown
  }
  switch (name) {
    case 'SottoApiError':
      if (code === 'AMOUNT_OUT_OF_RANGE') return outOfRange(min, max)
      return refused(`${code}`, retry)
    case 'BalanceError': {
      if (code === 'PAYMENT_MAY_LAND') return mayLand(until)
      if (code === 'PAYMENT_UNCERTAIN') return paidUnrecorded()
      const [message, next] = BALANCE[`${code}`] ?? ['the balance cannot pay now', ASK]
      return new ToolError(code === undefined ? 'BALANCE' : `${code}`, message, next)
    }
    case 'SottoTransportError':
      return new ToolError('SERVICE_UNREACHABLE', 'the service does not answer', LATER)
    case 'PaymentRefusedError': {
      const message = 'the service asked for a signature on a different payment; nothing was signed'
      return new ToolError('PAYMENT_REFUSED', message, `do not retry; ${ASK}`)
    }
    case 'BalanceTakenError': {
      const message = 'another process has changed the balance'
      return new ToolError('BALANCE_TAKEN', message, `${ASK} to restart the server`)
    }
    case 'RateLimitedError':
    case 'SolanaError':
    case 'TypeError':
      return new ToolError('NODE_UNREACHABLE', 'the Solana node does not answer correctly', LATER)
    case 'DisagreementError':
    case 'RecoveryError': {
      if (code === 'PROGRAM_OTHER' || code === 'WRONG_CLUSTER') return wrongSettings()
      const message = 'the Solana node does not show enough to continue'
      return new ToolError('NODE_INCOMPLETE', message, `${ASK} to use another node`)
    }
    default:
      return new ToolError(
        'INTERNAL',
        'the server failed',
        `${LATER}; if the error remains, ${ASK}`,
      )
  }
}

/** The error for a payment that was begun, if nothing proves whether it was paid. */
export const outcomeUnknown = (): ToolError =>
  new ToolError(
    'OUTCOME_UNKNOWN',
    'this payment was begun, and nothing proves whether it was paid',
    `do not pay it under another key; ${ASK} to check it`,
  )

/** The error for a payment that another copy of the balance may have made. */
export const paidUnrecorded = (): ToolError =>
  new ToolError(
    'OUTCOME_UNKNOWN',
    'the chain shows a payment of this amount to this recipient, but the balance has no record of it; nothing was paid now',
    `do not pay it under another key; ${ASK} to check it`,
  )

/** The error for a payment that wasn't made, because another copy of the balance has spent the payment's note. */
export const spentElsewhere = (): ToolError => new ToolError('SPENT_ELSEWHERE', ...SPENT_ELSEWHERE)

export const keyReused = (): ToolError =>
  new ToolError(
    'KEY_REUSED',
    'the payment with this key has another amount or another recipient; nothing was paid now',
    'use a new key for a new payment, or repeat the earlier one with the same arguments',
  )

export const declined = (): ToolError =>
  new ToolError(
    'DECLINED',
    'a person has declined this payment; nothing was paid',
    'do not ask for it again; ask the person what to do instead',
  )

function wrongSettings(): ToolError {
  const message =
    'the balance belongs to another program or cluster than the one in the settings of this server'
  return new ToolError(
    'SETTING_INVALID',
    message,
    `${ASK} to correct SOTTO_PROGRAM_ID or SOTTO_RPC_URL`,
  )
}

function refused(code: string, retry: unknown): ToolError {
  const [message, next] = Object.hasOwn(REFUSALS, code) ? (REFUSALS[code] ?? []) : []
  if (message !== undefined && next !== undefined) return new ToolError(code, message, next)
  const again = retry === 'unchanged' || retry === 'new_quote'
  return new ToolError('SERVICE_REFUSED', 'the service refuses this payment', again ? LATER : ASK)
}

const ISO_TIME = /^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,12}Z$/

/** A payment was signed and may still land: this one or an earlier one. The text names `until` if it is a time. */
function mayLand(until: unknown): ToolError {
  const isTime = typeof until === 'string' && ISO_TIME.test(until)
  const message = `a signed payment that the service does not confirm may still be made${isTime ? ` until ${until}` : ''}`
  const next = isTime ? 'call the same tool again after that time, with the same arguments' : LATER
  return new ToolError('PAYMENT_MAY_LAND', message, next)
}

/**
 * The text states the bounds in base units if the service sent numbers. Any other text from the service is omitted,
 * because it could contain an instruction to the agent.
 */
function outOfRange(min: unknown, max: unknown): ToolError {
  const unitsOf = (bound: unknown) => (typeof bound === 'string' ? parseAmount(bound) : undefined)
  const [least, most] = [unitsOf(min), unitsOf(max)]
  const within =
    least === undefined || most === undefined ? '' : `: ${least} to ${most} base units are possible`
  const message = `the service does not pay this amount now${within}`
  return new ToolError('AMOUNT_OUT_OF_RANGE', message, 'choose another amount')
}
