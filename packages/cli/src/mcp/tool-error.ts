/**
 * The reason why a tool call failed. An agent reads this text, so it never contains text from the service or the
 * node. Such a text could contain an instruction to the agent, or a secret such as a key in a node's address.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  /** The code is stable, so callers can branch on it. */
  readonly code: string
  readonly next: string

  constructor(code: string, message: string, next: string) {
    super(message)
    this.code = code
    this.next = next
  }
}
