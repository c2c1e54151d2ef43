declare module 'fs-native-extensions' {
  /** Locks the whole open file exclusively; false while another open file holds it. */
  export function tryLock(file: number): boolean
}
