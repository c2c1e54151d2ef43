/** Order of BN254's scalar field. A number at or above it would be reduced to a different number. */
const FIELD = 21888242871839275222246405745257275088548364400416034343698204186575808495617n

/** Input signals of the circuit that have one number each. The first ten are public, in this order. */
const SIGNALS = [
  ...['root', 'nullifier', 'assetHash', 'payout', 'fee', 'payeeHi', 'payeeLo', 'time', 'refund'],
  ...['changeLeaf', 'deadline', 'expiry', 'senderHi', 'senderLo', 'nk', 'isBalance', 'leafIndex'],
  ...['change', 'changeNk', 'changeDeadline', 'validUntil', 'S', 'R8x', 'R8y'],
]

/** The public input signals in the program's order. */
export const PUBLIC_SIGNALS = SIGNALS.slice(0, 10)

/**
 * Input signals that have several numbers, with the count of each. `path` has three siblings for each of the tree's 13
 * levels.
 */
const LISTS = { claim: 3, path: 39 }

/** A decimal number without sign or leading zeros that is an element of the field. */
const isFieldElement = (value) =>
  typeof value === 'string' && /^(0|[1-9][0-9]{0,76})$/.test(value) && BigInt(value) < FIELD

const isList = (value, length) =>
  Array.isArray(value) && value.length === length && value.every(isFieldElement)

/**
 * The first fault of an input: the name of a missing or malformed member, or the words "an unknown member"; undefined
 * if the input is complete. The result never contains a value.
 *
 * @param {unknown} input
 * @returns {string | undefined}
 */
export function findInputFault(input) {
  if (typeof input !== 'object' || input === null) return 'input'
  const badSignal = SIGNALS.find((name) => !isFieldElement(input[name]))
  if (badSignal !== undefined) return badSignal
  const badList = Object.entries(LISTS).find(([name, length]) => !isList(input[name], length))
  if (badList !== undefined) return badList[0]
  const isUnknown = (name) => !Object.hasOwn(LISTS, name) && !SIGNALS.includes(name)
  return Object.keys(input).some(isUnknown) ? 'an unknown member' : undefined
}
