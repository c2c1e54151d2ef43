import { PROGRAM_ERRORS } from '@sotto/protocol'
import {
  isSolanaError,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT,
} from '@solana/kit'
import { SubmissionError } from './errors.ts'

/** The error code for a balance that is too small. The System program and both token programs use the same code. */
const TOO_LITTLE = 1

const FUND = "put more into the sender's wallet, then resume"

/** What the caller should do, for the errors with which the program usually refuses a verified deposit. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  DepositsPaused: 'resume later: the service accepts no deposits now',
  DeadlinePassed: 'resume: the order has ended',
  AuthorisationExpired: 'resume: the transfer asks for a new transaction',
  SwapCapReached: 'resume later, or send a smaller amount in a new transfer',
  OrderExists: 'resume: the order is already paid',
  TreeFull: 'ask the operator: the pool accepts no more deposits',
}

/** Explains why a node's preflight refused a signed transaction, and what to do about it. */
export function explainSubmission(error: Error): SubmissionError {
  const { cause } = error
  if (
    isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE) ||
    isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT) ||
    isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND)
  ) {
    return new SubmissionError('the wallet has too little SOL', FUND, { cause: error })
  }
  if (isSolanaError(cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)) {
    const { code } = cause.context
    if (code === TOO_LITTLE) {
      const reason = 'the wallet has too little SOL or too little of the asset'
      return new SubmissionError(reason, FUND, { cause: error })
    }
    const known = PROGRAM_ERRORS.find((one) => one.code === code)
    if (known !== undefined) {
      const next = NEXT_STEPS[known.name] ?? 'resume later; if the error persists, ask the operator'
      const options = { programError: known.name, cause: error }
      return new SubmissionError(`${known.message} (${known.name})`, next, options)
    }
  }
  const reason = cause instanceof Error ? cause.message : error.message
  return new SubmissionError(reason, 'resume after the cause is gone', { cause: error })
}
