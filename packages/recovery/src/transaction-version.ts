/** The newest transaction version to request. Older releases of kit have neither a name nor a type for it. */
export const TRANSACTION_VERSION_MAX = 1 as 0
