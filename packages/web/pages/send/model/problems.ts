import { ERRORS, type ErrorCode } from '@sotto/contract'
import {
  DisagreementError,
  InsufficientFundsError,
  OrderRefusedError,
  OverdueError,
  type RefusalCode,
  SubmissionError,
  UnprovenError,
  type TransferState,
} from '@sotto/sdk/wallet'
import { showDay } from '../../look/durations.ts'
import { WalletError } from './asked-wallet.ts'
import { DecimalsError, SymbolError } from './assert-decimals.ts'
import { ServiceRefusal, UnreachableError } from './service.ts'
import { isStorageError, storageProblem } from './storage-problem.ts'
import { ticketFileName } from './ticket-file.ts'
import { WORDS_FOR_PEOPLE } from './words-for-people.ts'

/** A problem in words for a person: the cause, the next step, and whether money is at risk. */
export interface Problem {
  readonly title: string
  readonly text: string
  readonly nextStep: string
  /** The code of the service's error or of the SDK's refusal. */
  readonly code?: string | undefined
  readonly requestId?: string | undefined
  /** All faults of an order. */
  readonly details?: readonly string[]
  /** Bounds of the amount, in base units. */
  readonly bounds?: { readonly min: string; readonly max: string } | undefined
  /** The form field that has to be corrected. */
  readonly field?: 'amount' | 'recipient' | undefined
  /** True if trying again may work. */
  readonly canRetry: boolean
  /** True if a retry needs the wallet that started the transfer, and that wallet isn't connected. */
  readonly needsWallet?: boolean
}

/** The person declined to connect a wallet, or declined on the page. Nothing was signed. */
export class DeclinedError extends Error {
  override readonly name = 'DeclinedError'
}

/** The wallet that must sign is no longer connected. */
export class WalletMissingError extends Error {
  override readonly name = 'WalletMissingError'
}

const FIELDS: Readonly<Record<string, Problem['field']>> = {
  amount: 'amount',
  recipientAddress: 'recipient',
}
const OF_CODE: Partial<Record<ErrorCode, Problem['field']>> = {
  AMOUNT_OUT_OF_RANGE: 'amount',
  BALANCE_TOO_SMALL: 'amount',
  RECIPIENT_NOT_PAYABLE: 'recipient',
}

const isKnown = (code: string | undefined): code is ErrorCode =>
  code !== undefined && Object.hasOwn(ERRORS, code)

/** Codes of refusals that are about the program, not about a single order. */
const OF_PROGRAM: readonly RefusalCode[] = ['program_unknown', 'development_key']

/** True if the wallet can't have been asked to sign yet in this step. In all later steps, a signature may exist. */
export const isUnasked = (step: TransferState['step'] | undefined): boolean =>
  step === undefined || step === 'asked' || step === 'quoted' || step === 'ordered'

/** True for a transfer that isn't saved yet, so that it can only be started over. False if there is no transfer. */
const isUnsaved = (step: TransferState['step'] | undefined): boolean =>
  step !== undefined && isUnasked(step)

/**
 * Converts an error to a problem. For the service's errors, it uses the page's own texts, or else those of the error
 * registry. `step` is the transfer's step, if there is a transfer.
 */
export function explain(error: unknown, step?: TransferState['step']): Problem {
  const mayHaveSigned = !isUnasked(step)
  if (error instanceof ServiceRefusal) {
    return mayHaveSigned ? { ...ofService(error), ...whilePaying(step) } : ofService(error)
  }
  if (error instanceof UnreachableError) {
    return {
      title: 'No connection',
      text: `The service could not be reached. ${isUnsaved(step) ? NOTHING_PAID : 'Nothing is lost: this browser keeps your transfer.'}`,
      nextStep: 'Check your connection and try again.',
      canRetry: true,
    }
  }
  if (isStorageError(error))
    return storageProblem(mayHaveSigned ? UNKNOWN : isUnsaved(step) ? NOTHING_PAID : '')
  if (error instanceof OrderRefusedError) {
    const isProgram = error.refusals.some(({ code }) => OF_PROGRAM.includes(code))
    return {
      title: isProgram
        ? 'Do not sign: this program can’t be trusted'
        : 'Do not sign: this is not what you asked for',
      text: `${
        isProgram
          ? 'The program that would hold your money is not one that this page accepts.'
          : 'Your browser compared the order with your request and found a difference.'
      } ${mayHaveSigned ? `This page sends nothing more for this order. ${UNKNOWN}` : NOTHING_PAID}`,
      nextStep: 'Do not try again on this page. Send this list to the operator of this page.',
      code: [...new Set(error.refusals.map(({ code }) => code))].join(', '),
      details: error.refusals.map(({ message }) => message),
      canRetry: false,
    }
  }
  if (error instanceof DecimalsError || error instanceof SymbolError) {
    return {
      title: 'Do not sign: the amount is not what you typed',
      text:
        (error instanceof SymbolError
          ? 'The service gave SOL the symbol of another asset, or called another asset SOL, so you would pay in another asset. '
          : 'The service reported a different number of decimals for this asset than the chain has, so the real amount would be different. ') +
        (mayHaveSigned ? UNKNOWN : NOTHING_PAID),
      nextStep: 'Do not try again on this page. Report this to the operator of this page.',
      canRetry: false,
    }
  }
  return ofTransfer(error, step)
}

function ofService(error: ServiceRefusal): Problem {
  const { code, param, requestId, min, max } = error
  const words = isKnown(code) ? (WORDS_FOR_PEOPLE[code] ?? registered(code)) : undefined
  return {
    title: words?.title ?? 'The service refused',
    text: words === undefined ? error.message : '',
    nextStep: words?.nextStep ?? 'Try again later.',
    ...{ code, requestId },
    bounds: min === undefined || max === undefined ? undefined : { min, max },
    field: (isKnown(code) ? OF_CODE[code] : undefined) ?? FIELDS[param ?? ''],
    canRetry: error.retry !== 'never',
  }
}

const registered = (code: ErrorCode) => ({
  title: ERRORS[code].message,
  nextStep: ERRORS[code].nextStep,
})

function ofTransfer(error: unknown, step: TransferState['step'] | undefined): Problem {
  if (error instanceof InsufficientFundsError) {
    return {
      title: 'Your wallet holds too little',
      text: `${sentenceOf(error.message)} Your wallet was not asked to sign.`,
      nextStep: 'Add the missing amount to the wallet, then continue.',
      canRetry: true,
    }
  }
  if (error instanceof SubmissionError) {
    return {
      title: 'The chain refused the transaction',
      text: sentenceOf(error.message),
      nextStep: 'Once the cause is fixed, continue. The order stays valid until its deadline.',
      code: error.programError,
      canRetry: true,
    }
  }
  if (error instanceof UnprovenError) {
    return {
      title: 'Not proved yet',
      text: sentenceOf(error.message),
      nextStep: 'Keep your recovery ticket, and continue later.',
      canRetry: true,
    }
  }
  if (error instanceof OverdueError) return ofOverdue(error)
  if (error instanceof DisagreementError) {
    return {
      title: 'Service and chain contradict each other',
      text: 'The page stopped here and will not ask for another signature.',
      nextStep: 'Keep your recovery ticket, and report this to the operator of this service.',
      canRetry: false,
    }
  }
  if (error instanceof WalletMissingError) return ofMissingWallet('transfer', isUnasked(step))
  if (error instanceof WalletError) return ofWallet(error)
  if (error instanceof DeclinedError) {
    return {
      title: 'You declined',
      text: 'Nothing was signed.',
      nextStep: 'Try again, or start over.',
      canRetry: true,
    }
  }
  return {
    title: 'This did not work',
    text: error instanceof Error ? error.message : 'Something failed.',
    nextStep: isUnsaved(step)
      ? `${NOTHING_PAID} Try again, or start over.`
      : 'Try again. This browser keeps everything that is needed to continue.',
    canRetry: true,
  }
}

/** The wallet that must sign isn't connected. After a reload, the page doesn't know whether the wallet has signed. */
export function ofMissingWallet(what: 'transfer' | 'top-up', isBefore: boolean): Problem {
  return {
    title: 'Your wallet is needed',
    text: isBefore
      ? `This ${what} has not been signed yet.`
      : `Your wallet may have been asked to sign this ${what} already. ${UNKNOWN}`,
    nextStep: 'Connect the wallet that you started it with, then continue.',
    canRetry: true,
    needsWallet: true,
  }
}

const NOTHING_PAID = 'Nothing was signed and nothing was paid.'
/** For a transfer or top-up that the wallet may have signed. */
export const UNKNOWN =
  'It is not known yet whether you have paid. If you continue, this page asks the chain first, and the order can be paid only once.'

/** For a service's refusal after the wallet was asked to sign. The refusal is no proof that nothing was paid. */
const whilePaying = (step: TransferState['step'] | undefined) => ({
  text: step === 'deposited' ? 'Your payment is on the chain.' : UNKNOWN,
  nextStep: 'Do not pay in another way. Keep your recovery ticket, and continue later.',
  canRetry: true,
})

function ofWallet({ isDeclined, message }: WalletError): Problem {
  if (isDeclined) {
    return {
      title: 'Not signed',
      text: 'Your wallet reports that you declined. If you did, this transaction pays nothing. If you have signed any transaction for this order, the chain decides whether it pays.',
      nextStep: 'Sign now, or start over with other terms.',
      canRetry: true,
    }
  }
  return {
    title: 'Your wallet did not return a signature',
    text: `Your wallet reports: ${message.replace(/\.?$/, '.')} ${UNKNOWN}`,
    nextStep: 'Check in your wallet whether it has paid, then continue.',
    canRetry: true,
  }
}

function ofOverdue({ canRefund, refundableUntil, trackingId }: OverdueError): Problem {
  const until = showDay(refundableUntil)
  return {
    title: 'The service has not sent your money',
    text: canRefund
      ? `The chain shows that the money was neither delivered nor refunded. With the recovery ticket, you can get it back without the service until ${until}.`
      : `The chain shows that the money was neither delivered nor refunded. A refund was possible until ${until}.`,
    nextStep: canRefund
      ? `Save the recovery ticket below, and give its file to the command: sotto recover refund ${ticketFileName(trackingId)}. After that, continue here.`
      : 'Keep the recovery ticket, and report this to the operator of this service.',
    canRetry: true,
  }
}

const sentenceOf = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
