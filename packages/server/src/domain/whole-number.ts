import { parseWhole } from '@sotto/protocol'

/**
 * A slot, a height, an index or a time as a JSON number. Never an amount.
 *
 * @throws RangeError if a number can't represent it.
 */
export function wholeNumber(value: bigint): number {
  return parseWhole(value.toString())
}
