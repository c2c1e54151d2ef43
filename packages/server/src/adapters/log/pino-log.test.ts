import { expect, it } from 'vitest'
import { pinoLog } from './pino-log.ts'

function logging() {
  const lines: string[] = []
  const log = pinoLog('debug', { write: (line) => void lines.push(line) })
  return { log, lines }
}
const ENTRY = { requestId: 'r', method: 'GET', route: '/r', status: 200, ms: 1, keyId: 'k' }

it('does not log successful polls and streams', () => {
  const { log, lines } = logging()
  log.request(ENTRY)
  expect(lines).toEqual([])
  log.request({ ...ENTRY, status: 404, code: 'ORDER_NOT_FOUND' })
  log.request({ ...ENTRY, method: 'POST' })
  expect(lines.map((line) => (JSON.parse(line) as { status: number }).status)).toEqual([404, 200])
})

it('writes only listed members, even if the caller passes others', () => {
  const { log, lines } = logging()
  log.event('rpc_node_down', { node: 1, url: 'https://secret.example' } as { node: number })
  expect(JSON.parse(lines[0]!)).toMatchObject({ node: 1, msg: 'rpc_node_down' })
  expect(lines[0]).not.toContain('secret')
  const started = { cluster: 'devnet', roles: 'api', prices: 'none', screeners: 'deny-list' }
  log.event('started', started)
  expect(JSON.parse(lines[1]!)).toMatchObject(started)
})

it('writes the line of a request as JSON with exactly its members', () => {
  const { log, lines } = logging()
  const before = Date.now()
  const whole = { ...ENTRY, method: 'POST', code: 'INTERNAL', status: 500 }
  const { keyId: _, ...bare } = { ...ENTRY, method: 'POST' }
  log.request(whole)
  log.request(bare)
  const [first, second] = lines.map((line) => JSON.parse(line) as { time: number })
  expect(first).toEqual({ level: 30, time: first?.time, ...whole, msg: 'request' })
  expect(second).toEqual({ level: 30, time: second?.time, ...bare, msg: 'request' })
  expect(first?.time).toBeGreaterThanOrEqual(before)
  expect(lines.every((line) => line.endsWith('}\n'))).toBe(true)
})
