import { encodeBase58 } from '@sotto/protocol'
import { isWritableStatic } from '../chain/decoded-transaction.ts'
import type { TokenBalance } from '../chain/token-balances.ts'
import type { TransactionRecord } from '../chain/transaction-record.ts'
import { type LandedMessage, landedMessage } from './landed-message.ts'
import {
  renderInnerInstructions,
  renderInnerWithAddresses,
  renderReturnData,
} from './render-outcome.ts'
import { RpcError, UNSUPPORTED_TRANSACTION_VERSION } from './rpc-error.ts'
import { renderTokenAmount } from './token-amount.ts'

export type TransactionEncoding = 'json' | 'jsonParsed' | 'base58' | 'base64'

/**
 * A transaction with its meta, as in `getTransaction` and `getBlock`. Throws if the client's
 * `maxSupportedTransactionVersion` doesn't include the transaction's version.
 */
export function renderTransaction(
  record: TransactionRecord,
  encoding: TransactionEncoding,
  maxVersion: number | undefined,
): object {
  const decoded = landedMessage(record)
  if (maxVersion === undefined && decoded.version !== 'legacy') {
    throw new RpcError(
      UNSUPPORTED_TRANSACTION_VERSION,
      `Transaction version (${decoded.version}) is not supported by the requesting client. ` +
        'Please try the request again with the following configuration parameter: ' +
        `"maxSupportedTransactionVersion": ${decoded.version}`,
    )
  }
  return {
    meta: renderMeta(record, encoding, maxVersion !== undefined),
    transaction: renderBody(record, decoded, encoding),
    version: maxVersion === undefined ? undefined : decoded.version,
  }
}

function renderMeta(
  record: TransactionRecord,
  encoding: TransactionEncoding,
  hasVersion: boolean,
): object {
  const { outcome } = record
  return {
    err: outcome.err,
    status: outcome.err === null ? { Ok: null } : { Err: outcome.err },
    fee: record.fee,
    preBalances: record.preBalances,
    postBalances: record.postBalances,
    preTokenBalances: record.preTokenBalances.map(renderKeptBalance),
    postTokenBalances: record.postTokenBalances.map(renderKeptBalance),
    innerInstructions:
      encoding === 'jsonParsed'
        ? renderInnerWithAddresses(outcome, record.accountKeys)
        : renderInnerInstructions(outcome),
    logMessages: outcome.logs,
    loadedAddresses: hasVersion ? record.loaded : undefined,
    rewards: [],
    computeUnitsConsumed: outcome.unitsConsumed,
    returnData: renderReturnData(outcome),
  }
}

/** A token balance in the form of a validator's history. There, `uiAmount` is null for 0 and for numbers close to 0. */
function renderKeptBalance(balance: TokenBalance): object {
  const shown = renderTokenAmount(balance.amount, balance.decimals)
  const uiAmount = shown.uiAmount > Number.EPSILON ? shown.uiAmount : null
  return { ...renderTokenBalance(balance), uiTokenAmount: { ...shown, uiAmount } }
}

export function renderTokenBalance(balance: TokenBalance): object {
  return {
    accountIndex: balance.accountIndex,
    mint: balance.mint,
    owner: balance.owner,
    programId: balance.programId,
    uiTokenAmount: renderTokenAmount(balance.amount, balance.decimals),
  }
}

function renderBody(
  record: TransactionRecord,
  decoded: LandedMessage,
  encoding: TransactionEncoding,
): unknown {
  if (encoding === 'base64') return [Buffer.from(record.wire).toString('base64'), 'base64']
  if (encoding === 'base58') return [encodeBase58(record.wire), 'base58']
  const { signatures } = decoded
  const message =
    encoding === 'json' ? renderMessage(decoded) : renderParsedMessage(record, decoded)
  return { signatures, message }
}

function renderMessage(decoded: LandedMessage): object {
  return {
    header: {
      numRequiredSignatures: decoded.header.signers,
      numReadonlySignedAccounts: decoded.header.readonlySigners,
      numReadonlyUnsignedAccounts: decoded.header.readonlyNonSigners,
    },
    accountKeys: decoded.staticAccounts,
    recentBlockhash: decoded.recentBlockhash,
    instructions: decoded.instructions.map((instruction) => ({
      programIdIndex: instruction.programIndex,
      accounts: instruction.accountIndices,
      data: encodeBase58(instruction.data),
      stackHeight: 1,
    })),
    addressTableLookups: decoded.version === 'legacy' ? undefined : renderLookups(decoded),
  }
}

/** Parses accounts. Instructions are only partially decoded, as validators do for programs without a parser. */
function renderParsedMessage(record: TransactionRecord, decoded: LandedMessage): object {
  const key = (index: number) => record.accountKeys[index] ?? ''
  const staticCount = decoded.staticAccounts.length
  return {
    accountKeys: record.accountKeys.map((pubkey, index) => ({
      pubkey,
      signer: index < decoded.header.signers,
      writable:
        index < staticCount
          ? isWritableStatic(decoded, index)
          : index < staticCount + record.loaded.writable.length,
      source: index < staticCount ? 'transaction' : 'lookupTable',
    })),
    recentBlockhash: decoded.recentBlockhash,
    instructions: decoded.instructions.map((instruction) => ({
      programId: key(instruction.programIndex),
      accounts: instruction.accountIndices.map(key),
      data: encodeBase58(instruction.data),
      stackHeight: 1,
    })),
    addressTableLookups: decoded.version === 'legacy' ? undefined : renderLookups(decoded),
  }
}

function renderLookups(decoded: LandedMessage): object[] {
  return decoded.lookups.map((lookup) => ({
    accountKey: lookup.table,
    writableIndexes: lookup.writableIndexes,
    readonlyIndexes: lookup.readonlyIndexes,
  }))
}
