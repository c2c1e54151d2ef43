import { parseWhole } from '@sotto/protocol'

/**
 * Converts a slot, a height, an index or a time to a JavaScript number. Never used for amounts.
 *
 * @throws RangeError if a number can't represent the value exactly.
 */
export function wholeNumber(value: bigint): number {
  return parseWhole(value.toString())
}
