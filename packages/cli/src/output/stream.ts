/** The members of a stream that are used here. */
export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}
