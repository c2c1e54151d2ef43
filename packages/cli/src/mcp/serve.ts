import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import manifest from '../../package.json' with { type: 'json' }
import type { CliContext } from '../context.ts'
import type { TypedLimits } from './limits.ts'
import { openDesk } from './open-desk.ts'
import { Session } from './session.ts'
import { buildServer } from './tools/build-server.ts'

/**
 * Offers the tools over stdin and stdout until the host closes them or the user presses Ctrl-C. If a payment is in
 * progress at that time, the next start waits until the payment has ended.
 */
export async function serve(
  context: CliContext,
  balance: string,
  limits: TypedLimits,
): Promise<void> {
  const ended = new AbortController()
  const session = new Session(() => openDesk(context, balance, limits, ended.signal))
  const transport = new StdioServerTransport()
  const closed = new Promise<void>((resolve) => {
    const close = transport.close.bind(transport)
    transport.close = async () => {
      await close()
      resolve()
    }
    context.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  // Write only codes, and only to stderr: stdout belongs to the protocol, and hosts store the text from stderr.
  const log = (line: string) => void process.stderr.write(`sotto mcp: ${line}\n`)
  const report = (tool: string, code: string) => log(`${tool}: ${code}`)
  const handle = serveStdio(() => buildServer({ session, version: manifest.version, report }), {
    transport,
    onerror: () => log('a message of the host could not be read'),
  })
  await closed
  ended.abort()
  await session.close()
  await handle.close()
}
