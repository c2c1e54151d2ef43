import type { TransactionErrorJson } from '../chain/transaction-error.ts'

/** The messages of solana-transaction-error. People and some clients search for these texts. */
const WORDING: Readonly<Record<string, string>> = {
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidAccountForFee: 'This account may not be used to pay transaction fees',
  SignatureFailure: 'Transaction did not pass signature verification',
  SanitizeFailure: 'Transaction failed to sanitize accounts offsets correctly',
  AccountLoadedTwice: 'Account loaded twice',
}

/** A transaction error in words, for the message of an RPC error. */
export function describeTransactionError(err: TransactionErrorJson): string {
  if (typeof err === 'string') return WORDING[err] ?? err
  const detail = err['InstructionError']
  if (!Array.isArray(detail)) return JSON.stringify(err)
  const [index, inner] = detail as [number, unknown]
  return `Error processing Instruction ${index}: ${describeInstructionError(inner)}`
}

function describeInstructionError(inner: unknown): string {
  if (typeof inner === 'object' && inner !== null && 'Custom' in inner) {
    return `custom program error: 0x${(inner.Custom as number).toString(16)}`
  }
  return String(inner)
}
