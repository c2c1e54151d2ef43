/** Order of BN254's scalar field: a number beyond it would stand for another one. */
const FIELD = 21888242871839275222246405745257275088548364400416034343698204186575808495617n

/** Input signals of the circuit that hold one number each. */
const SIGNALS = [
  ...[
    'root',
    'nullifier',
    'assetHash',
    'amount',
    'feeBack',
    'payeeHi',
    'payeeLo',
    'time',
    'refund',
  ],
  ...['fee', 'expiry', 'nk', 'recipientHi', 'recipientLo', 'senderHi', 'senderLo', 'leafIndex'],
]

const TREE_DEPTH = 26

/** A decimal number without sign or leading zeros that is an element of the field. */
const isFieldElement = (value) =>
  typeof value === 'string' && /^(0|[1-9][0-9]{0,76})$/.test(value) && BigInt(value) < FIELD

/**
 * The name of the first member of an input that is missing, malformed or unknown; undefined if the
 * input is complete. Values are never part of the answer.
 *
 * @param {unknown} input
 * @returns {string | undefined}
 */
export function findInputFault(input) {
  if (typeof input !== 'object' || input === null) return 'input'
  const badSignal = SIGNALS.find((name) => !isFieldElement(input[name]))
  if (badSignal !== undefined) return badSignal
  const { path } = input
  if (!Array.isArray(path) || path.length !== TREE_DEPTH || !path.every(isFieldElement)) {
    return 'path'
  }
  const isUnknown = (name) => name !== 'path' && !SIGNALS.includes(name)
  return Object.keys(input).some(isUnknown) ? 'an unknown member' : undefined
}
