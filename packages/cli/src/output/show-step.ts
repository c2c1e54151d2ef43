import type { TransferState } from '@sotto/sdk/wallet'

/** A transfer's current action, as text for the progress line. */
export function showStep({ step }: Pick<TransferState, 'step'>): string {
  switch (step) {
    case 'asked':
      return 'asking for a quote'
    case 'quoted':
      return 'making the order'
    case 'ordered':
      return 'verifying the order against the chain'
    case 'signing':
      return 'signing'
    case 'submitting':
      return 'submitting the deposit'
    case 'refreshing':
      return 'the transaction expired; asking for a new one'
    case 'unwinding':
      return 'the order ended; waiting until nothing signed can land any more'
    case 'deposited':
      return 'the deposit is on the chain; waiting for the delivery'
    case 'done':
      return 'done'
  }
}
