/** Any name that an interface would have; addresses and keys are longer, other text isn't one. */
const NAME = /^[A-Za-z][A-Za-z0-9]{0,29}$/
/** Stands in an answer for a name that is none. */
const NOT_SHOWN = '(not shown)'

/**
 * A member's or parameter's name from a request, as an answer may repeat it. Answers are logged where
 * requests are not, so nothing that may be an address or a key comes back in one.
 */
export const shownName = (name: string): string => (NAME.test(name) ? name : NOT_SHOWN)
