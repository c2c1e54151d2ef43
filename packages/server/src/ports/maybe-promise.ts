/**
 * A value, or a promise of the value. Nearly all values that a quote needs are in memory. Creating a promise for each
 * would take longer than most of the work that a quote does with the value.
 */
export type MaybePromise<T> = T | Promise<T>
