/** Matches any plausible member name; addresses and keys are longer, and other text isn't a name. */
const NAME = /^[A-Za-z][A-Za-z0-9]{0,29}$/
/** Replaces anything else in an answer. */
const NOT_SHOWN = '(not shown)'

/**
 * A member's or parameter's name from a request, in a form that an answer may repeat. Answers are logged even
 * if requests aren't, so they must not repeat anything that may be an address or a key.
 */
export const shownName = (name: string): string => (NAME.test(name) ? name : NOT_SHOWN)
