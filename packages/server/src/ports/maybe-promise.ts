/**
 * A value, or a promise of it. What every quote asks for is nearly always in memory, and a promise
 * for each costs more than most of what is done with the values.
 */
export type MaybePromise<T> = T | Promise<T>
