/** Matches any plausible member name. Addresses and keys are longer. */
const NAME = /^[A-Za-z][A-Za-z0-9]{0,29}$/
/** The text that replaces any other name in a response. */
const NOT_SHOWN = '(not shown)'

/**
 * Returns the name of a member or parameter in a form that a response may repeat. Clients log responses, so a response
 * must not repeat text that may be an address or a key.
 */
export const shownName = (name: string): string => (NAME.test(name) ? name : NOT_SHOWN)
