declare module 'fs-native-extensions' {
  /** Locks the whole open file exclusively; false if another open file holds the lock. */
  export function tryLock(file: number): boolean
}
