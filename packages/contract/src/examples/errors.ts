import { errorDocs, ERRORS, type ErrorCode } from '../error-registry.ts'
import type { ErrorBody } from '../schemas/error-body.ts'

type Details = Pick<ErrorBody, 'param' | 'min' | 'max' | 'issues'>

const DETAILS: Partial<Record<ErrorCode, Details>> = {
  INVALID_REQUEST: {
    param: 'amount',
    issues: [
      { param: 'amount', message: 'must be a string of decimal digits without leading zeros' },
    ],
  },
  INVALID_ADDRESS: { param: 'recipientAddress' },
  UNSUPPORTED_ASSET: { param: 'sourceAssetId' },
  AMOUNT_OUT_OF_RANGE: { param: 'amount', min: '992886', max: '100000000000' },
  BALANCE_TOO_SMALL: { param: 'amount', min: '101203', max: '499000000' },
  RECIPIENT_NOT_PAYABLE: { param: 'recipientAddress' },
}

/** An error response of the service. */
export function errorExample(code: ErrorCode): ErrorBody {
  const { message, retry } = ERRORS[code]
  return {
    success: false,
    code,
    message,
    requestId: 'req_4f1c2b3a495867768594a3b2',
    retry,
    ...DETAILS[code],
    docs: errorDocs(code),
  }
}
