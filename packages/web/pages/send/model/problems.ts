import { ERRORS, type ErrorCode } from '@sotto/contract'
import {
  DisagreementError,
  OrderRefusedError,
  SubmissionError,
  type TransferState,
} from '@sotto/sdk/wallet'
import { DecimalsError } from './assert-decimals.ts'
import { ServiceRefusal, UnreachableError } from './service.ts'

/** What went wrong, whether money is at stake, and what to do now; for a person. */
export interface Problem {
  readonly title: string
  readonly text: string
  readonly nextStep: string
  /** The registry's code, or the kind of refusal. */
  readonly code?: string | undefined
  readonly requestId?: string | undefined
  /** Each thing that was found wrong with an order. */
  readonly details?: readonly string[]
  /** Bounds of the amount, in base units. */
  readonly bounds?: { readonly min: string; readonly max: string } | undefined
  /** The field that it is about. */
  readonly field?: 'amount' | 'recipient' | undefined
  /** The same can be tried again and may then work. */
  readonly canRetry: boolean
}

/** The person was asked by wallet or page, and said no. */
export class DeclinedError extends Error {
  override readonly name = 'DeclinedError'
}

/** The wallet that has to sign isn't connected any more. */
export class WalletMissingError extends Error {
  override readonly name = 'WalletMissingError'
}

/** What people can do, where the registry speaks to whoever writes programs. */
const FOR_PEOPLE: Partial<Record<ErrorCode, string>> = {
  INVALID_ADDRESS: 'Check the address: it may be cut off or have a wrong character.',
  UNSUPPORTED_ASSET: 'Choose another asset.',
  MODE_NOT_SUPPORTED: 'For an exchange, fix what you pay: what arrives follows from the rate.',
  UNAUTHORIZED: 'The page has to be set up again by whoever runs it. Nothing was paid.',
  FORBIDDEN: 'Open the page anew in this browser and try again.',
  SCREENING_REFUSED: 'Nothing was paid. Contact whoever runs this service.',
  ORDER_NOT_FOUND:
    'Only the browser that made an order may follow it here. Your recovery ticket works anywhere.',
  QUOTE_EXPIRED: 'Ask for a new price.',
  AMOUNT_OUT_OF_RANGE: 'Choose an amount within these bounds.',
  RECIPIENT_NOT_PAYABLE: 'Enter the address of a wallet, not of a token account or a program.',
  RATE_LIMITED: 'Wait a moment and try again.',
  INTERNAL: 'Try again. If it lasts, tell whoever runs this service the number below.',
  LIQUIDITY_UNAVAILABLE: 'Try a smaller amount, or come back later. Nothing was paid.',
  PRICE_UNAVAILABLE: 'Try again in a minute, or send without exchanging.',
  UPSTREAM_UNAVAILABLE: 'Try again in a moment.',
  SERVICE_PAUSED: 'Come back later. What is already paid in is still delivered.',
}

const FIELDS: Readonly<Record<string, Problem['field']>> = {
  amount: 'amount',
  recipientAddress: 'recipient',
}
const OF_CODE: Partial<Record<ErrorCode, Problem['field']>> = {
  AMOUNT_OUT_OF_RANGE: 'amount',
  RECIPIENT_NOT_PAYABLE: 'recipient',
}

const isKnown = (code: string | undefined): code is ErrorCode =>
  code !== undefined && Object.hasOwn(ERRORS, code)

/** Where a signed transaction may be about: no refusal by a wallet says any more that nothing was paid. */
const SIGNED: readonly (TransferState['step'] | undefined)[] = [
  'submitting',
  'refreshing',
  'unwinding',
  'deposited',
]

/**
 * An error as a problem, from the error registry where the service answered. `step` is how far the transfer had
 * come, where there is one.
 */
export function explain(error: unknown, step?: TransferState['step']): Problem {
  if (error instanceof ServiceRefusal) return ofService(error)
  if (error instanceof UnreachableError) {
    return {
      title: 'No connection',
      text: 'The service was not reached. Nothing is lost: this browser keeps what is under way.',
      nextStep: 'Check your connection and try again.',
      canRetry: true,
    }
  }
  if (error instanceof OrderRefusedError) {
    return {
      title: 'Do not sign: this is not what you asked for',
      text: 'Your browser compared the order with your request and found a difference. Nothing was signed and nothing was paid.',
      nextStep: 'Do not try again on this page. Tell whoever runs it what is listed here.',
      code: [...new Set(error.refusals.map(({ code }) => code))].join(', '),
      details: error.refusals.map(({ message }) => message),
      canRetry: false,
    }
  }
  if (error instanceof DecimalsError) {
    return {
      title: 'Do not sign: the amount is not what you typed',
      text: 'On the chain this asset has another number of digits after the point than the service told your browser. Nothing was signed and nothing was paid.',
      nextStep: 'Do not try again on this page. Tell whoever runs it.',
      canRetry: false,
    }
  }
  return ofTransfer(error, SIGNED.includes(step))
}

function ofService(error: ServiceRefusal): Problem {
  const { code, param, requestId, min, max } = error
  const registered = isKnown(code) ? ERRORS[code] : undefined
  const forPeople = isKnown(code) ? FOR_PEOPLE[code] : undefined
  return {
    title: registered?.message ?? 'The service refused',
    text: registered === undefined ? error.message : '',
    nextStep: forPeople ?? registered?.nextStep ?? 'Try again later.',
    ...{ code, requestId },
    bounds: min === undefined || max === undefined ? undefined : { min, max },
    field: (isKnown(code) ? OF_CODE[code] : undefined) ?? FIELDS[param ?? ''],
    canRetry: error.retry !== 'never',
  }
}

function ofTransfer(error: unknown, isSigned: boolean): Problem {
  if (error instanceof SubmissionError) {
    return {
      title: 'The chain refused the transaction',
      text: 'Your signed transaction would fail, most likely because the wallet holds too little SOL or too little of the asset. Nothing was paid.',
      nextStep: 'Put enough into the wallet, then go on: the order stays good until its deadline.',
      canRetry: true,
    }
  }
  if (error instanceof DisagreementError) {
    return {
      title: 'Service and chain disagree',
      text: 'Nothing more is signed.',
      nextStep: 'Keep your recovery ticket, and tell whoever runs this service.',
      canRetry: false,
    }
  }
  if (error instanceof WalletMissingError) {
    return {
      title: 'Your wallet is needed',
      text: 'This transfer is still to be signed.',
      nextStep: 'Connect the wallet that it began with, then go on.',
      canRetry: true,
    }
  }
  if (error instanceof DeclinedError || (!isSigned && isRejection(error))) {
    return {
      title: 'Not signed',
      text: 'You said no, so nothing was paid.',
      nextStep: 'Sign now, or begin anew with other terms.',
      canRetry: true,
    }
  }
  return {
    title: 'This did not work',
    text: error instanceof Error ? error.message : 'Something failed.',
    nextStep: 'Go on to try again: this browser keeps what is under way.',
    canRetry: true,
  }
}

/** How wallets say that a person refused: by a number that all of them share, or by words. */
function isRejection(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return code === 4_001 || /reject|declin|denied|cancel/i.test(String(message ?? ''))
}
