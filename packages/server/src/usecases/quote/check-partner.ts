import type { Account, AccountStore } from '../../ports/account-store.ts'
import type { Address } from '@sotto/protocol'
import type { MaybePromise } from '../../ports/maybe-promise.ts'
import { assertAddress } from '../assert-address.ts'
import { ServiceError } from '../service-error.ts'

/** The partner's share that a request asks for. */
export interface PartnerTerms {
  readonly feeBps: number
  /** The wallet that receives the share; undefined if there is no share. */
  readonly recipient: Address | undefined
}

interface AskedShare {
  readonly feeBps?: number | undefined
  readonly feeRecipientAddress?: string | undefined
}

/** Checks that a share has a recipient. @throws ServiceError FEE_RECIPIENT_REQUIRED. */
export function assertShareHasRecipient({ feeBps = 0, feeRecipientAddress }: AskedShare): void {
  if (feeBps > 0 && feeRecipientAddress === undefined) {
    throw new ServiceError('FEE_RECIPIENT_REQUIRED', { param: 'feeRecipientAddress' })
  }
}

/**
 * Returns the partner's share. The share must be within the account's cap, and its recipient must be one of the
 * account's registered wallets. A named recipient must be registered even if the share is zero.
 *
 * @throws ServiceError FEE_RECIPIENT_REQUIRED, INVALID_ADDRESS, FEE_BPS_EXCEEDS_CAP, FEE_RECIPIENT_NOT_REGISTERED.
 */
export function checkPartner(
  accounts: AccountStore,
  account: Account,
  request: AskedShare,
): MaybePromise<PartnerTerms> {
  assertShareHasRecipient(request)
  const { feeBps = 0, feeRecipientAddress } = request
  if (feeRecipientAddress === undefined) return { feeBps, recipient: undefined }
  const recipient = assertAddress('feeRecipientAddress', feeRecipientAddress)
  if (feeBps > account.feeBpsMax) {
    throw new ServiceError('FEE_BPS_EXCEEDS_CAP', { param: 'feeBps' })
  }
  return accounts.hasFeeRecipient(account.id, recipient).then((isRegistered) => {
    if (!isRegistered) {
      throw new ServiceError('FEE_RECIPIENT_NOT_REGISTERED', { param: 'feeRecipientAddress' })
    }
    return { feeBps, recipient: feeBps > 0 ? recipient : undefined }
  })
}
