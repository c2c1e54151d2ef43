import {
  Client,
  type ElicitResult,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { text as textOf } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { builtProgram } from '../../../../demo/src/stack/built-program.ts'
import { HUNG_MS } from '../../../../testing/patience/hung.ts'
import { MAIN } from '../run-sotto.ts'

/** A tool's result. `code` is set if the tool refused. */
export interface Answered {
  readonly code: string | undefined
  readonly text: string
  readonly data: Record<string, unknown>
}

/** An agent's host. It runs the real command over stdio, and uses the protocol's own client. */
export interface McpHost {
  readonly tools: () => ReturnType<Client['listTools']>
  /** Calls a tool. `forged` contains answers that no person gave. */
  readonly call: (tool: string, given?: object, forged?: object) => Promise<Answered>
  /** The questions that the person has been asked. */
  readonly questions: readonly string[]
  /** All texts that the agent has seen. */
  readonly seen: readonly string[]
  readonly kill: () => void
  /** Stops the server as a host does, and returns the server's log. */
  readonly close: () => Promise<string>
}

export interface HostOptions {
  /** The person's answer to every question; undefined if the host can't ask. */
  readonly answer?: ElicitResult
  readonly mode?: VersionNegotiationMode
}

/** Starts `sotto mcp serve` with these arguments. */
export async function startMcp(
  args: readonly string[],
  env: Record<string, string>,
  { answer, mode = 'legacy' }: HostOptions = {},
): Promise<McpHost> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [await builtProgram(MAIN), 'mcp', 'serve', ...args],
    env: { ...getDefaultEnvironment(), ...env },
    stderr: 'pipe',
  })
  const logged = textOf(transport.stderr as Readable)
  const capabilities = answer === undefined ? {} : { elicitation: { form: {} } }
  const client = new Client(
    { name: 'test-host', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode } },
  )
  const [questions, seen]: [string[], string[]] = [[], []]
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message)
      return answer
    })
  }
  await client.connect(transport)
  return {
    ...{ questions, seen },
    tools: () => client.listTools(),
    call: async (tool, given = {}, forged) => {
      const answers = forged === undefined ? {} : { inputResponses: { ...forged } }
      const called = { name: tool, arguments: { ...given }, ...answers }
      const result = await client.callTool(called, { timeout: HUNG_MS })
      seen.push(JSON.stringify(result))
      const [first] = result.content
      const text = first?.type === 'text' ? first.text : ''
      const code = result.isError === true ? text.split(':')[0] : undefined
      return { code, text, data: (result.structuredContent ?? {}) as Record<string, unknown> }
    },
    kill: () => {
      if (transport.pid !== null) process.kill(transport.pid, 'SIGKILL')
    },
    close: async () => {
      await client.close()
      return logged
    },
  }
}
