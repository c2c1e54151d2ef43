import {
  BalanceError,
  BalanceTakenError,
  PaymentRefusedError,
  RecoveryError,
  type BalanceErrorCode,
} from '@sotto/sdk/balance'
import type { TransferState } from '@sotto/sdk/wallet'
import { showTime } from '../../../look/durations.ts'
import {
  explain,
  isUnasked,
  ofMissingWallet,
  UNKNOWN,
  WalletMissingError,
  type Problem,
} from '../problems.ts'
import { UnreachableError } from '../service.ts'
import { isStorageError, storageProblem } from '../storage-problem.ts'
import { NoLocksError } from '../tab-lock.ts'

interface Words {
  readonly title: string
  readonly text: string
  readonly nextStep: string
  readonly canRetry?: boolean
}

const UNTOUCHED = 'Your balance is unchanged.'

const OF_BALANCE: Readonly<Record<BalanceErrorCode, Words>> = {
  NO_BALANCE: {
    title: 'This browser does not have this balance any more',
    text: 'The data of this page was deleted, and with it the secret key of the balance. What is left in the balance stays there.',
    nextStep: 'Use the balance file that you saved.',
  },
  BALANCE_EXISTS: {
    title: 'This browser has this balance already',
    text: '',
    nextStep: 'Open it in the list of your balances.',
  },
  NOT_OPENED: {
    title: 'Nothing was paid in',
    text: 'The order ended without a payment, and it can’t be paid any more.',
    nextStep: 'You can safely pay in again.',
  },
  BALANCE_EMPTY: { title: 'This balance is empty', text: '', nextStep: 'Pay into a new balance.' },
  BALANCE_ENDED: {
    title: 'This balance has ended',
    text: 'What was left returns to the wallet that paid in, unless the balance was opened without that return.',
    nextStep: 'Check that wallet. For more payments, pay into a new balance.',
  },
  KEY_REUSED: {
    title: 'This payment was made before',
    text: UNTOUCHED,
    nextStep: 'Reload this page and start the payment again.',
  },
  QUOTE_DECLINED: { title: 'Not sent', text: UNTOUCHED, nextStep: 'Send the payment again.' },
  PAYMENT_EXPIRED: {
    title: 'The payment did not go through',
    text: `Several times in a row, the service did not make the payment in time. ${UNTOUCHED}`,
    nextStep: 'Try again later. Meanwhile your money stays in the balance.',
    canRetry: true,
  },
  PAYMENT_UNCERTAIN: {
    title: 'You may have sent this already',
    text: 'The chain shows a payment out of this balance that this browser has no record of. It may be the payment that you want to send.',
    nextStep: 'Check on the chain whether the recipient was paid.',
  },
  PAYMENT_MAY_LAND: {
    title: 'An earlier payment may still be made',
    text: 'This browser signed a payment that the service does not confirm.',
    nextStep: 'Try again after that time. Nothing is paid twice.',
    canRetry: true,
  },
  BALANCE_MISSING: {
    title: 'This payment belongs to a list',
    text: UNTOUCHED,
    nextStep: 'Continue the payment in the program that began the list.',
  },
  BALANCES_TOO_SMALL: {
    title: 'This balance holds too little',
    text: UNTOUCHED,
    nextStep: 'Send a smaller amount, or pay into a new balance.',
  },
  SPENT_ELSEWHERE: {
    title: 'Something else has spent from this balance',
    text: 'Another browser with this balance, or another person with its file, has made a payment. Your payment was not made.',
    nextStep: 'If that was not you, take the rest back now: another person has your balance file.',
  },
}

/** Explains an error of a balance in words for people. `step` is the step of the top-up, if one is in progress. */
export function explainBalance(error: unknown, step?: TransferState['step']): Problem {
  if (error instanceof BalanceError) {
    const { code, until } = error
    const words = OF_BALANCE[code]
    const text =
      until === undefined
        ? words.text
        : `${words.text} That payment can still be made until ${showTime(until)}.`
    return { canRetry: false, ...words, text, code }
  }
  if (error instanceof PaymentRefusedError) {
    return {
      title: 'Not signed: this is not the payment that you asked for',
      text: `Your browser compared the message to sign with your request, and found a difference. ${UNTOUCHED}`,
      nextStep: 'Do not try again on this page. Send this list to the operator of this page.',
      details: error.reasons,
      canRetry: false,
    }
  }
  if (error instanceof BalanceTakenError) {
    return {
      title: 'Another tab has changed this balance',
      text:
        step === undefined || isUnasked(step)
          ? 'This tab stopped before it signed anything.'
          : `Another tab, or the browser, changed the stored data of this top-up. ${UNKNOWN}`,
      nextStep: 'Try again: this tab then reads the balance again.',
      canRetry: true,
    }
  }
  if (error instanceof NoLocksError) {
    return {
      title: 'This browser can’t coordinate its tabs',
      text: 'Two tabs could use the same balance at once, so this page does not open it.',
      nextStep: 'Open this page over https, in a current browser.',
      canRetry: false,
    }
  }
  if (error instanceof WalletMissingError) return ofMissingWallet('top-up', isUnasked(step))
  if (isStorageError(error)) return storageProblem('No payment is made twice.')
  if (error instanceof UnreachableError) {
    return {
      title: 'No connection',
      text: 'The service could not be reached. Your balance is safe in this browser, and no payment is made twice.',
      nextStep: 'Check your connection and try again.',
      canRetry: true,
    }
  }
  return error instanceof RecoveryError ? ofRecovery(error) : explain(error, step)
}

/**
 * Explains that an equal payment has spent the money of an interrupted payment. `signature` is the transaction of the
 * equal payment, if the node showed it.
 */
export function explainReplaced(signature: string | null | undefined): Problem {
  return {
    title: 'An interrupted payment may have been made',
    text: 'The chain shows an equal payment out of the same part of the balance, but this browser has no record of the payment on the chain.',
    nextStep:
      'Before you send the interrupted payment again, check on the chain whether the recipient was paid. Try again to open this balance.',
    details: typeof signature === 'string' ? [`Transaction: ${signature}`] : [],
    ...{ code: 'PAYMENT_UNCERTAIN', canRetry: true },
  }
}

function ofRecovery({ code }: RecoveryError): Problem {
  switch (code) {
    case 'ALREADY_SETTLED':
      return {
        title: 'Nothing is left of this balance',
        text: 'All of it was sent, or has returned to the wallet that paid in.',
        nextStep: 'You can delete this balance file.',
        ...{ code, canRetry: false },
      }
    case 'NEVER_DEPOSITED':
    case 'TICKET_DIFFERS':
      return {
        title: 'The chain doesn’t show the money of this file',
        text: 'Either nothing was paid in with this file, or this page’s node doesn’t show the newest payment of the balance yet.',
        nextStep:
          'Keep this file, and choose it again in a few minutes. If you paid in with another file, choose that file.',
        ...{ code, canRetry: false },
      }
    case 'NOT_DEPOSITED_YET':
      return {
        title: 'Nothing was paid into this balance yet',
        text: 'This file belongs to a top-up that is not on the chain.',
        nextStep: 'If you have just paid in, wait a minute and choose the file again.',
        ...{ code, canRetry: false },
      }
    case 'OTHER_KIND':
      return {
        title: 'This file is not the file of a balance',
        text: 'It is the recovery ticket of a single transfer, or it lacks the balance’s secret key.',
        nextStep: 'Choose the file whose name starts with sotto-balance.',
        ...{ code, canRetry: false },
      }
    case 'WRONG_CLUSTER':
    case 'PROGRAM_OTHER':
    case 'PROGRAM_UNKNOWN':
      return {
        title: 'This balance is not on this service’s chain',
        text: '',
        nextStep: 'Open the page of the service where you paid in.',
        ...{ code, canRetry: false },
      }
    case 'TOO_EARLY':
    case 'TOO_LATE':
    case 'HISTORY_MISSING':
    case 'PATH_OUTDATED':
    case 'BALANCE_TOO_SMALL':
    case 'PAID_BEFORE':
    case 'WINDOW_OVER':
    case 'CHANGE_DIFFERS':
    case 'CLOCK_DIFFERS':
    case 'PAYEE_UNUSABLE':
      return {
        title: 'The chain can’t be read far enough back',
        text: 'The node of this page did not show everything that is needed to find your money.',
        nextStep: 'Try again later. The command sotto recover can use another node.',
        ...{ code, canRetry: true },
      }
  }
}
