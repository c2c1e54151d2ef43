import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { buildProgram, SHARED_PROGRAMS } from '../../demo/src/stack/built-program.ts'

/**
 * Runs once before all tests. When a process first requests a program, this function builds it and shares the result.
 * Without this function, each process that runs tests would build its own programs.
 */
export default async function sharePrograms(): Promise<() => void> {
  const server = createServer((request, response) => {
    text(request)
      .then(buildProgram)
      .then(
        (path) => response.end(path),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.env[SHARED_PROGRAMS] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return () => {
    server.closeAllConnections()
    server.close()
  }
}
