/**
 * Why a tool call failed. The text reaches an agent, so it is always ours: text from the service or the node could be
 * an instruction to the agent, or hold a secret such as a key in a node's address.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  /** Stable; a program may branch on it. */
  readonly code: string
  readonly next: string

  constructor(code: string, message: string, next: string) {
    super(message)
    this.code = code
    this.next = next
  }
}
