/** Matches any plausible member name. Addresses and keys are longer. */
const NAME = /^[A-Za-z][A-Za-z0-9]{0,29}$/
/** The text that an answer shows in place of any other name. */
const NOT_SHOWN = '(not shown)'

/**
 * A member's or parameter's name from a request, in a form that an answer may repeat. Clients log answers, so an answer
 * must not repeat text that may be an address or a key.
 */
export const shownName = (name: string): string => (NAME.test(name) ? name : NOT_SHOWN)
