import type { CallToolResult } from '@modelcontextprotocol/server'
import { explainToolFailure } from '../explain-tool-failure.ts'
import type { ToolError } from '../tool-error.ts'

/** A tool's result: data for a program, and the same facts as text. */
export const resultOf = (
  structuredContent: Record<string, unknown>,
  text: string,
): CallToolResult => ({ structuredContent, content: [{ type: 'text', text }] })

const failureOf = ({ code, message, next }: ToolError): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: `${code}: ${message}. Next: ${next}.` }],
})

/** Runs a tool. Converts every failure to a result with a code, the cause and the next step. */
export async function answering<Result>(
  report: (code: string) => void,
  work: () => Promise<Result>,
): Promise<Result | CallToolResult> {
  try {
    return await work()
  } catch (error) {
    const failure = explainToolFailure(error)
    report(failure.code)
    return failureOf(failure)
  }
}
