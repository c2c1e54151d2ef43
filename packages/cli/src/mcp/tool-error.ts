/**
 * The reason why a tool call failed. An agent reads the text, so it never comes from the service or the node. Their
 * text could be an instruction to the agent, or contain a secret such as a key in a node's address.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  /** The code is stable, and a program may branch on it. */
  readonly code: string
  readonly next: string

  constructor(code: string, message: string, next: string) {
    super(message)
    this.code = code
    this.next = next
  }
}
