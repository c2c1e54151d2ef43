import type { ErrorCode } from '@sotto/contract'

interface Words {
  readonly title: string
  readonly nextStep: string
}

const words = (title: string, nextStep: string): Words => ({ title, nextStep })

/** Texts for people about the service's refusals. The texts in the error registry are for programmers. */
export const WORDS_FOR_PEOPLE: Partial<Record<ErrorCode, Words>> = {
  INVALID_REQUEST: words(
    'The service did not understand the request of this page.',
    'Nothing was paid. Reload the page and try again.',
  ),
  INVALID_ADDRESS: words(
    'This is not a Solana address.',
    'Check that you copied all of it, without other characters.',
  ),
  UNSUPPORTED_ASSET: words('This asset cannot be sent here.', 'Choose another asset.'),
  MODE_NOT_SUPPORTED: words(
    'For an exchange, you can choose only the amount that you pay.',
    'Enter that amount.',
  ),
  UNAUTHORIZED: words(
    'This page has no permission to use the service.',
    'Nothing was paid. Ask the operator of this page to set it up again.',
  ),
  FORBIDDEN: words(
    'The service refused this page.',
    'Reload the page in this browser and try again.',
  ),
  SCREENING_REFUSED: words(
    'The service does not accept this transfer.',
    'Nothing was paid. Contact the operator of this service.',
  ),
  ORDER_NOT_FOUND: words(
    'This browser cannot follow this order.',
    'Open this page in the browser that made the order, or use your recovery ticket.',
  ),
  IDEMPOTENCY_CONFLICT: words('This order was made before.', 'Start over to make a new order.'),
  ORDER_IN_PROGRESS: words('The order is still being made.', 'Wait a moment and try again.'),
  QUOTE_ALREADY_USED: words('This price was used before.', 'Start over to get a new price.'),
  QUOTE_MISMATCH: words('The price has changed.', 'Start over to get a new price.'),
  QUOTE_EXPIRED: words('This price has expired.', 'Start over to get a new price.'),
  ORDER_ALREADY_DEPOSITED: words(
    'This order is paid already.',
    'Wait: the money will be delivered.',
  ),
  ORDER_EXPIRED: words('This order has expired.', 'Nothing was paid. Start over.'),
  PRICE_MOVED: words('The price has moved too far.', 'Nothing was paid. Start over.'),
  AMOUNT_OUT_OF_RANGE: words('This amount is outside the limits.', 'Enter another amount.'),
  RECIPIENT_NOT_PAYABLE: words(
    'This address cannot receive this asset.',
    'Enter the address of a wallet, not of a token account or a program.',
  ),
  BALANCE_NOT_FOUND: words(
    'The money in this balance is not final on the chain yet.',
    'Wait about 15 seconds: the price then appears by itself.',
  ),
  BALANCE_TOO_SMALL: words('This balance cannot pay this amount.', 'Enter another amount.'),
  BALANCE_ENDED: words(
    'This balance ends too soon for another payment.',
    'What is left returns by itself to the wallet that paid in, unless the balance was opened without that return.',
  ),
  NOTE_IN_USE: words(
    'Another payment uses this part of the balance, or has spent it.',
    'Try again in half an hour.',
  ),
  PAYMENT_EXPIRED: words(
    'The payment was not made in time.',
    'Your balance is unchanged. Send the payment again.',
  ),
  RATE_LIMITED: words('Too many requests in a short time.', 'Wait a moment and try again.'),
  INTERNAL: words(
    'The service has failed.',
    'Try again. If the service fails again, give the number below to the operator of this service.',
  ),
  LIQUIDITY_UNAVAILABLE: words(
    'The service cannot cover this transfer now.',
    'Nothing was paid. Try a smaller amount, or come back later.',
  ),
  PRICE_UNAVAILABLE: words(
    'There is no price for this exchange now.',
    'Try again in a minute, or send the same asset without exchanging it.',
  ),
  UPSTREAM_UNAVAILABLE: words('The service cannot reach the chain now.', 'Try again in a moment.'),
  SERVICE_PAUSED: words(
    'The service accepts no new transfers now.',
    'Come back later. Transfers that are already paid are still delivered.',
  ),
}
