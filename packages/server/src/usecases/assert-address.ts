import { isAddress, type Address } from '@sotto/protocol'
import { ServiceError } from './service-error.ts'

/** Parses the address in a member of a request. @throws ServiceError INVALID_ADDRESS that names the member. */
export function assertAddress(param: string, text: string): Address {
  if (!isAddress(text)) throw new ServiceError('INVALID_ADDRESS', { param })
  return text
}
