/** The newest transaction version to request. Older releases of kit have no name and no type for this version. */
export const TRANSACTION_VERSION_MAX = 1 as 0
