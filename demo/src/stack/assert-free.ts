import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Checks that a port is free, before the set-up begins. Port 0 stands for any free port, so it always passes.
 * @throws Error that names the option for choosing another port.
 */
export async function assertFree(port: number, option: string): Promise<void> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const why = code === 'EADDRINUSE' ? 'is in use' : `can't be used (${code})`
    throw new Error(
      `port ${port} ${why}; stop the program that uses it, or choose another port with ${option}`,
      {
        cause,
      },
    )
  }
  server.close()
  await once(server, 'close')
}
