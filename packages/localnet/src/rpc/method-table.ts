import type { RpcMethod } from './method.ts'
import { getAccountInfo } from './methods/get-account-info.ts'
import { getBalance } from './methods/get-balance.ts'
import { getBlockHeight } from './methods/get-block-height.ts'
import { getBlockTime } from './methods/get-block-time.ts'
import { getBlock } from './methods/get-block.ts'
import { getBlocks } from './methods/get-blocks.ts'
import { getEpochInfo } from './methods/get-epoch-info.ts'
import { getFeeForMessage } from './methods/get-fee-for-message.ts'
import { getFirstAvailableBlock } from './methods/get-first-available-block.ts'
import { getGenesisHash } from './methods/get-genesis-hash.ts'
import { getHealth } from './methods/get-health.ts'
import { getLatestBlockhash } from './methods/get-latest-blockhash.ts'
import { getMinimumBalanceForRentExemption } from './methods/get-minimum-balance-for-rent-exemption.ts'
import { getMultipleAccounts } from './methods/get-multiple-accounts.ts'
import { getProgramAccounts } from './methods/get-program-accounts.ts'
import { getRecentPrioritizationFees } from './methods/get-recent-prioritization-fees.ts'
import { getSignatureStatuses } from './methods/get-signature-statuses.ts'
import { getSignaturesForAddress } from './methods/get-signatures-for-address.ts'
import { getSlot } from './methods/get-slot.ts'
import { getTokenAccountBalance } from './methods/get-token-account-balance.ts'
import { getTokenAccountsByOwner } from './methods/get-token-accounts-by-owner.ts'
import { getTokenSupply } from './methods/get-token-supply.ts'
import { getTransactionCount } from './methods/get-transaction-count.ts'
import { getTransaction } from './methods/get-transaction.ts'
import { getVersion } from './methods/get-version.ts'
import { isBlockhashValid } from './methods/is-blockhash-valid.ts'
import { localnetAdvanceTime } from './methods/localnet-advance-time.ts'
import { localnetCreateMint } from './methods/localnet-create-mint.ts'
import { localnetMintTokens } from './methods/localnet-mint-tokens.ts'
import { localnetSetFaults } from './methods/localnet-set-faults.ts'
import { requestAirdrop } from './methods/request-airdrop.ts'
import { sendTransaction } from './methods/send-transaction.ts'
import { simulateTransaction } from './methods/simulate-transaction.ts'

/** The prefix of methods that exist only on this chain. */
export const OWN_METHODS = 'localnet_'

/** Every method that the chain answers over HTTP. */
export const methodTable: readonly RpcMethod[] = [
  getAccountInfo,
  getBalance,
  getBlockHeight,
  getBlockTime,
  getBlock,
  getBlocks,
  getEpochInfo,
  getFeeForMessage,
  getFirstAvailableBlock,
  getGenesisHash,
  getHealth,
  getLatestBlockhash,
  getMinimumBalanceForRentExemption,
  getMultipleAccounts,
  getProgramAccounts,
  getRecentPrioritizationFees,
  getSignatureStatuses,
  getSignaturesForAddress,
  getSlot,
  getTokenAccountBalance,
  getTokenAccountsByOwner,
  getTokenSupply,
  getTransactionCount,
  getTransaction,
  getVersion,
  isBlockhashValid,
  localnetAdvanceTime,
  localnetCreateMint,
  localnetMintTokens,
  localnetSetFaults,
  requestAirdrop,
  sendTransaction,
  simulateTransaction,
]
