import { afterEach, beforeEach, expect, it } from 'vitest'
import { startRemote, type RemoteServer } from '../../../tests/remote/remote-server.ts'
import { askRemote } from './ask-remote.ts'

let server: RemoteServer
beforeEach(async () => {
  server = await startRemote(() => ({ status: 200, json: {} }))
})
afterEach(() => server.close())

const withUser = () => `${server.url.replace('//', '//us%40er:p%3Ass@')}/path?query=1`
const ask = (url: string, headers = {}) =>
  askRemote({ service: 'vault', url, headers, timeoutMs: 5_000 })

it('sends the user and the password of a URL as a header', async () => {
  expect((await ask(withUser(), { 'X-Key': 'key' })).status).toBe(200)
  const [asked] = server.asked
  const expected = `Basic ${Buffer.from('us@er:p:ss').toString('base64')}`
  expect(asked?.headers).toMatchObject({ authorization: expected, 'x-key': 'key' })
  expect(asked?.url.href).toBe('http://remote/path?query=1')
})

it('sends no Authorization header if the URL has no user and no password', async () => {
  await ask(server.url)
  expect(server.asked[0]?.headers).not.toHaveProperty('authorization')
})

it('an error does not name the password', async () => {
  server.faults.push('cut')
  await expect(ask(withUser())).rejects.toThrow(/^vault failed: [A-Z_]+$/)
})
