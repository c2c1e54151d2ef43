import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { serveConsole } from './serve-console.ts'

const TOKEN = 'ab'.repeat(32)

let server: Server
beforeEach(async () => {
  const answer = serveConsole({
    files: new Map(),
    token: TOKEN,
    clock: { nowMs: () => 0, sleep: async () => undefined },
    random: { bytes: (size) => new Uint8Array(size), below: () => 0 },
    log: { failed: () => undefined },
    readOverview: async () => ({}),
    readAnonymitySeries: async () => ({}),
  })
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

async function logIn(token: string): Promise<Response> {
  const { port } = server.address() as AddressInfo
  return fetch(`http://127.0.0.1:${port}/console/api/session`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
}

it('accepts the right token even after many wrong tokens from the same address', async () => {
  for (let tries = 0; tries < 100; tries += 1) {
    expect((await logIn(`wrong ${tries}`)).status).toBe(401)
  }
  expect((await logIn(TOKEN)).status).toBe(200)
})
