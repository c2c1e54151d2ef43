import { parseWhole } from '@sotto/protocol'

/**
 * A slot, a height, an index or a time as a JSON number. Never an amount.
 *
 * @throws RangeError where a number can't hold it.
 */
export function wholeNumber(value: bigint): number {
  return parseWhole(value.toString())
}
