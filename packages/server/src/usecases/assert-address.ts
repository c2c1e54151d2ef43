import { isAddress, type Address } from '@sotto/protocol'
import { ServiceError } from './service-error.ts'

/** Bounds memory: a few hundred KB. */
const KNOWN_MAX = 2_000
/** Texts that were found to be addresses, which senders and recipients of one user are again and again. */
const known = new Set<string>()

/** The address in a member of a request. @throws ServiceError INVALID_ADDRESS that names the member. */
export function assertAddress(param: string, text: string): Address {
  if (known.has(text)) return text as Address
  if (!isAddress(text)) throw new ServiceError('INVALID_ADDRESS', { param })
  if (known.size >= KNOWN_MAX) known.clear()
  known.add(text)
  return text
}
