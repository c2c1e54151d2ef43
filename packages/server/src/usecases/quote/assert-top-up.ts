import type { CreateOrderRequest, QuoteRequest } from '@sotto/contract'
import { ownerOfKey } from '../../domain/balance.ts'
import { invalid } from '../service-error.ts'

type Asked = Pick<
  CreateOrderRequest,
  'balanceKey' | 'balanceSeconds' | 'autoReturn' | 'senderAddress' | 'recipientAddress'
> &
  Partial<
    Pick<
      QuoteRequest,
      'sourceAssetId' | 'destinationAssetId' | 'minDelaySeconds' | 'maxDelaySeconds'
    >
  >

/**
 * Refuses members that contradict a top-up, and members of a top-up if `balanceKey` is absent.
 *
 * @throws ServiceError INVALID_REQUEST.
 */
export function assertTopUp(request: Asked): void {
  const { balanceKey, senderAddress, recipientAddress } = request
  if (balanceKey === undefined) {
    const alone = firstSet(request, ['balanceSeconds', 'autoReturn'])
    if (alone !== undefined) throw invalid(alone, 'is allowed only in a request with a balanceKey')
    return
  }
  assertKey(balanceKey)
  if (recipientAddress !== senderAddress) {
    throw invalid(
      'recipientAddress',
      'must be the senderAddress, because the rest of a balance returns there',
    )
  }
  if (request.sourceAssetId !== request.destinationAssetId) {
    throw invalid(
      'destinationAssetId',
      'must be the sourceAssetId, because a balance is not exchanged',
    )
  }
  const delay = firstSet(request, ['minDelaySeconds', 'maxDelaySeconds'])
  if (delay !== undefined)
    throw invalid(delay, 'is not allowed for a balance, because a top-up has no delivery')
}

function firstSet<Name extends keyof Asked>(request: Asked, names: readonly Name[]) {
  return names.find((name) => request[name] !== undefined)
}

function assertKey(key: string): void {
  try {
    ownerOfKey(key)
  } catch {
    throw invalid('balanceKey', 'is not a valid public key of an owner')
  }
}
