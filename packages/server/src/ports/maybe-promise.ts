/**
 * A value, or a promise of the value. A synchronous value saves time. Nearly all values that a quote needs are in
 * memory. Creating a promise would take longer than most of the work with such a value.
 */
export type MaybePromise<T> = T | Promise<T>
