/**
 * A value that is here already, or will be. What every quote asks for is nearly always here, and a promise
 * for each costs more than most of what is done with the values.
 */
export type Soon<T> = T | Promise<T>
