/** The members of a stream that are used here. */
export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  /** Calls `done` once the text is written, or with the reason why it can't be written. */
  write(text: string, done?: (error?: Error | null) => void): unknown
}
