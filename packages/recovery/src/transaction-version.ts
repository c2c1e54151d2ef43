/** The newest version to ask for. Older releases of kit lack both a name and the type for it. */
export const TRANSACTION_VERSION_MAX = 1 as 0
