import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { selfSigned } from './self-signed.ts'

const SENDER = fileURLToPath(new URL('send-to.ts', import.meta.url))
const NAME = 'partner.example'

let folder: string
let authority: string
let server: Server
let hosts: (string | undefined)[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-tls-'))
  authority = join(folder, 'authority.pem')
  const { cert, key } = selfSigned(NAME)
  await writeFile(authority, cert)
  hosts = []
  server = createServer({ cert, key }, (request, response) => {
    hosts.push(request.headers.host)
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

/**
 * Returns the outcome of a worker's message. The worker's machine trusts these authorities in addition to the usual
 * authorities.
 */
async function sent(hostname: string, authorities: Record<string, string>): Promise<unknown> {
  const { port } = server.address() as AddressInfo
  const url = `https://${hostname}:${port}/hook`
  const env = { PATH: process.env['PATH'] ?? '', ...authorities }
  const args = ['--import', 'tsx', SENDER, url]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return JSON.parse(stdout)
}

it('a message is sent over TLS only to a name with a trusted certificate', async () => {
  const trusted = { NODE_EXTRA_CA_CERTS: authority }
  expect(await sent(NAME, trusted)).toEqual({ kind: 'answered', status: 204 })
  expect(hosts).toEqual([expect.stringMatching(/^partner\.example:[0-9]+$/)])
  expect(await sent('other.example', trusted)).toEqual({ kind: 'unreachable' })
  expect(await sent(NAME, {})).toEqual({ kind: 'unreachable' })
  expect(hosts).toHaveLength(1)
})
