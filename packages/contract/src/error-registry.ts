/**
 * The next step that a client may take after an error: none, requesting a new quote, or sending the same request again
 * later.
 */
export type Retry = 'never' | 'new_quote' | 'unchanged'

/** One kind of error. Its status and its `retry` never change, so clients can rely on them. */
export interface ErrorKind {
  readonly status: number
  readonly retry: Retry
  readonly message: string
  /** The next step for a client, as text for the documentation. */
  readonly nextStep: string
}

const kind = (status: number, retry: Retry, message: string, nextStep: string): ErrorKind => ({
  status,
  retry,
  message,
  nextStep,
})

/**
 * Every error code. The list only grows, because clients branch on the codes: a code is never removed, and its meaning
 * and its status never change. Messages contain no address, no amount and no ids of other accounts.
 */
export const ERRORS = {
  INVALID_REQUEST: kind(400, 'never', 'The request is malformed.', 'Correct the members that `issues` names and send it again.'),
  INVALID_ADDRESS: kind(400, 'never', 'The member that `param` names is not an address: 32 bytes in base58.', 'Send the base58 form of a 32-byte address in the member that `param` names.'),
  UNSUPPORTED_ASSET: kind(400, 'never', 'The service does not transfer this asset, or does not swap these assets: see GET /transfer/v1/tokens.', 'Use asset ids from GET /transfer/v1/tokens; both assets of a swap must be swappable.'),
  MODE_NOT_SUPPORTED: kind(400, 'never', 'Cross-asset transfers must use exact_in.', 'Set `mode` to exact_in or omit it.'),
  FEE_RECIPIENT_REQUIRED: kind(400, 'never', 'A partner fee needs a fee recipient.', 'Send `feeRecipientAddress`, or a `feeBps` of 0.'),
  UNAUTHORIZED: kind(401, 'never', 'The API key is missing, or is not valid for this service.', 'Send `Authorization: Bearer <API_KEY>` with a key that is neither expired nor revoked.'),
  FORBIDDEN: kind(403, 'never', 'The API key may not do this.', 'Use a key with the scope that this operation needs.'),
  SCREENING_REFUSED: kind(403, 'never', 'The transfer was refused by screening.', 'Do not retry; contact the operator of the service.'),
  NOT_FOUND: kind(404, 'never', 'There is no such resource.', 'Check the path, and the ids in it, against the documentation.'),
  ORDER_NOT_FOUND: kind(404, 'never', 'There is no such order in this account.', 'Check the tracking id and that the API key belongs to the account that made the order.'),
  METHOD_NOT_ALLOWED: kind(405, 'never', 'The resource does not support this method.', 'Use a method from the `Allow` header.'),
  IDEMPOTENCY_CONFLICT: kind(409, 'never', 'The idempotency key was used with other terms.', 'Use a new key for a new order; retry an order with exactly its first request.'),
  ORDER_IN_PROGRESS: kind(409, 'unchanged', 'A concurrent request is creating the same order.', 'Send the same request again after the time in `Retry-After`: it returns the order.'),
  QUOTE_ALREADY_USED: kind(409, 'new_quote', 'The quote already made an order under another key.', 'Retry with the key of that order, or quote again for a second order.'),
  ORDER_ALREADY_DEPOSITED: kind(409, 'never', 'The deposit of the order was already made.', 'Poll the status; there is nothing to sign any more.'),
  ORDER_EXPIRED: kind(409, 'new_quote', 'The order cannot be paid any more.', 'Quote again and make a new order.'),
  PRICE_MOVED: kind(409, 'new_quote', 'The price moved away from the order.', 'Quote again and make a new order.'),
  PAYLOAD_TOO_LARGE: kind(413, 'never', 'The request is too large.', 'Send a body of at most 64 KiB, and URL and headers of at most 16 KiB together.'),
  UNSUPPORTED_MEDIA_TYPE: kind(415, 'never', 'The request body must be JSON.', 'Send `Content-Type: application/json`, in UTF-8 and without a Content-Encoding.'),
  QUOTE_MISMATCH: kind(422, 'new_quote', 'The quote was changed, or the sender, recipient or fee are not those of its request.', 'Send the quote object back complete and unmodified, with the sender, recipient and fee of the quote request.'),
  QUOTE_EXPIRED: kind(422, 'new_quote', 'The quote is no longer valid.', 'Quote again.'),
  AMOUNT_OUT_OF_RANGE: kind(422, 'never', 'The amount, in base units, is below `min` or above `max`.', 'Choose an amount between `min` and `max`.'),
  RECIPIENT_NOT_PAYABLE: kind(422, 'never', 'The recipient cannot receive this asset.', 'Use the address of an ordinary wallet; not a token account, a program or an account of this service.'),
  FEE_BPS_EXCEEDS_CAP: kind(422, 'never', "The partner fee exceeds the account's cap.", 'Lower `feeBps`, or ask the operator for a higher cap.'),
  FEE_RECIPIENT_NOT_REGISTERED: kind(422, 'never', 'The fee recipient is not registered to the account.', 'Ask the operator to register the address, or use a registered one.'),
  WEBHOOK_LIMIT_REACHED: kind(409, 'never', 'The account has reached its limit of endpoints.', 'Remove an unused endpoint, or use an existing one for this too.'),
  WEBHOOK_URL_REFUSED: kind(422, 'never', 'No message can be sent to this URL.', 'Use an https URL whose host name resolves to public addresses only.'),
  FEE_RECIPIENT_NOT_PAYABLE: kind(422, 'never', 'The fee recipient cannot receive this asset.', 'Open its token account for the source asset first.'),
  RATE_LIMITED: kind(429, 'unchanged', 'Too many requests.', 'Send the same request again after the time in `Retry-After`.'),
  UNPAID_ORDERS_LIMIT: kind(429, 'unchanged', 'Too many orders are waiting for their deposit.', 'Pay open orders, or let them expire, and send the same request again after the time in `Retry-After`.'),
  INTERNAL: kind(500, 'unchanged', 'The service failed. Repeating the request is safe, unless it creates a webhook or rotates its secret.', 'Send the same request again, with the same idempotency key; report the `requestId` if the error persists. If the request creates a webhook or rotates its secret, first list the webhooks.'),
  LIQUIDITY_UNAVAILABLE: kind(503, 'unchanged', 'The service cannot cover this transfer now.', 'Try a smaller amount, or try again later.'),
  PRICE_UNAVAILABLE: kind(503, 'unchanged', 'There is no price for this pair now.', 'Try again later.'),
  UPSTREAM_UNAVAILABLE: kind(503, 'unchanged', 'The service cannot reach the chain now.', 'Send the same request again after the time in `Retry-After`.'),
  SERVICE_PAUSED: kind(503, 'unchanged', 'The service accepts no new transfers now.', 'Try again later; existing deposits are still delivered.'),
  BALANCE_NOT_FOUND: kind(404, 'unchanged', 'The note of this balance is not in the pool yet.', 'Wait until the deposit or the payment that makes the note is final, and send the same request again after the time in `Retry-After`.'),
  BALANCE_TOO_SMALL: kind(422, 'never', 'The balance cannot pay this amount.', 'Choose an amount between `min` and `max`.'),
  BALANCE_ENDED: kind(422, 'never', 'The balance ends too soon for a payment.', 'Open another balance; the rest of this one returns to its wallet.'),
  NOTE_IN_USE: kind(409, 'new_quote', 'Another payment uses this note or has spent it, or leaves the same change.', 'Wait until that payment has ended, at the latest at its `validUntil`. Then request a new quote. If the payment was delivered, use the ticket of its change note. If the changes are equal, sign with another `changeNk`.'),
  SIGNATURE_INVALID: kind(422, 'never', 'The signature does not belong to this payment.', "Sign the payment that the order shows, with the key of the balance, and send `changeNk` and signature again."),
  PAYMENT_EXPIRED: kind(409, 'new_quote', 'The payment was not signed in time.', 'Quote again and make a new order; nothing was paid.'),
} as const satisfies Record<string, ErrorKind> // oxfmt-ignore

export type ErrorCode = keyof typeof ERRORS

/** The page that explains a code, relative to the service's base address. */
export const errorDocs = (code: ErrorCode): string => `/docs/errors/${code}`
