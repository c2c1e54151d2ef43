/**
 * A value, or a promise of it. The values that a quote needs are nearly always in memory, and a promise for each
 * costs more than most of the work with them.
 */
export type MaybePromise<T> = T | Promise<T>
