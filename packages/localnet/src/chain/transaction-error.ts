import type { FailedTransactionMetadata } from 'litesvm'

/** A transaction error in the JSON form of Solana's RPC. */
export type TransactionErrorJson = string | { readonly [kind: string]: unknown }

/** The variants of solana-transaction-error that have no fields, in LiteSVM's numbering. */
const TRANSACTION_ERRORS = [
  'AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound InsufficientFundsForFee',
  'InvalidAccountForFee AlreadyProcessed BlockhashNotFound CallChainTooDeep MissingSignatureForFee',
  'InvalidAccountIndex SignatureFailure InvalidProgramForExecution SanitizeFailure',
  'ClusterMaintenance AccountBorrowOutstanding WouldExceedMaxBlockCostLimit UnsupportedVersion',
  'InvalidWritableAccount WouldExceedMaxAccountCostLimit WouldExceedAccountDataBlockLimit',
  'TooManyAccountLocks AddressLookupTableNotFound InvalidAddressLookupTableOwner',
  'InvalidAddressLookupTableData InvalidAddressLookupTableIndex InvalidRentPayingAccount',
  'WouldExceedMaxVoteCostLimit WouldExceedAccountDataTotalLimit',
  'MaxLoadedAccountsDataSizeExceeded ResanitizationNeeded InvalidLoadedAccountsDataSizeLimit',
  'UnbalancedTransaction ProgramCacheHitMaxLimit CommitCancelled',
].flatMap((line) => line.split(' '))

/** The variants of solana-instruction-error that have no fields, in LiteSVM's numbering. */
const INSTRUCTION_ERRORS = [
  'GenericError InvalidArgument InvalidInstructionData InvalidAccountData AccountDataTooSmall',
  'InsufficientFunds IncorrectProgramId MissingRequiredSignature AccountAlreadyInitialized',
  'UninitializedAccount UnbalancedInstruction ModifiedProgramId ExternalAccountLamportSpend',
  'ExternalAccountDataModified ReadonlyLamportChange ReadonlyDataModified DuplicateAccountIndex',
  'ExecutableModified RentEpochModified NotEnoughAccountKeys AccountDataSizeChanged',
  'AccountNotExecutable AccountBorrowFailed AccountBorrowOutstanding DuplicateAccountOutOfSync',
  'InvalidError ExecutableDataModified ExecutableLamportChange ExecutableAccountNotRentExempt',
  'UnsupportedProgramId CallDepth MissingAccount ReentrancyNotAllowed MaxSeedLengthExceeded',
  'InvalidSeeds InvalidRealloc ComputationalBudgetExceeded PrivilegeEscalation',
  'ProgramEnvironmentSetupFailure ProgramFailedToComplete ProgramFailedToCompile Immutable',
  'IncorrectAuthority AccountNotRentExempt InvalidAccountOwner ArithmeticOverflow',
  'UnsupportedSysvar IllegalOwner MaxAccountsDataAllocationsExceeded MaxAccountsExceeded',
  'MaxInstructionTraceLengthExceeded BuiltinProgramsMustConsumeComputeUnits BorshIoError',
].flatMap((line) => line.split(' '))

/** Converts LiteSVM's error to the JSON that a validator would send. */
export function renderTransactionError(
  error: ReturnType<FailedTransactionMetadata['err']>,
): TransactionErrorJson {
  if (typeof error === 'number') return TRANSACTION_ERRORS[error] ?? 'SanitizeFailure'
  if ('err' in error) return { InstructionError: [error.index, renderInstructionError(error)] }
  if ('index' in error) return { DuplicateInstruction: error.index }
  const kind = error.constructor.name.replace(/^TransactionError/, '')
  return { [kind]: { account_index: error.accountIndex } }
}

function renderInstructionError(error: { err(): unknown }): unknown {
  const inner = error.err()
  if (typeof inner === 'number') return INSTRUCTION_ERRORS[inner] ?? 'InvalidError'
  if (typeof inner === 'object' && inner !== null && 'code' in inner) return { Custom: inner.code }
  return 'BorshIoError'
}
