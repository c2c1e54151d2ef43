import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'

export const replayDeliveryEndpoint = endpoint({
  operation: OPERATIONS.replayDelivery,
  handle: ({ caller, params }, { replayDelivery }) =>
    replayDelivery(caller.account.id, params['webhookId'] ?? '', params['deliveryId'] ?? ''),
})
