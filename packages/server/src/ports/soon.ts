/**
 * A value that is here already, or will be. What every quote asks for is nearly always here, and a promise
 * for each costs more than most of what is done with the values: `isHere(it) ? it : await it`.
 */
export type Soon<T> = T | Promise<T>

/** True where there is nothing to wait for. */
export const isHere = <T>(value: Soon<T>): value is T => !(value instanceof Promise)
