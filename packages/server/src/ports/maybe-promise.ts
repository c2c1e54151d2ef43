/**
 * A value, or a promise of it. The values that a quote needs are nearly always in memory. A promise for each would
 * take longer than most of the work that a quote does with it.
 */
export type MaybePromise<T> = T | Promise<T>
