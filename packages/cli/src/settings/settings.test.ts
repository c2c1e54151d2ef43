import { describe, expect, it } from 'vitest'
import type { Environment } from './environment.ts'
import { LOCAL, readSettings } from './settings.ts'

const REMOTE = 'https://sotto.example'
const PROGRAM = 'SysvarRent111111111111111111111111111111111'
const read = (set: Partial<Environment>) => readSettings({}, set as Environment)

it('treats a chain as local only if the user says so and the node is on this machine', () => {
  const tunnel = { rpcUrl: 'http://127.0.0.1:8899' }
  expect(read({ ...tunnel, isLocalChain: false }).isLocalChain).toBe(false)
  expect(read({ ...tunnel, isLocalChain: true }).isLocalChain).toBe(true)
  expect(read({ rpcUrl: REMOTE, isLocalChain: true }).isLocalChain).toBe(false)
})

describe('the program of the service', () => {
  it('is that of "npm start" if service and node are on this machine', () => {
    expect(read({}).programId).toBe(LOCAL.programId)
    const local = { url: 'http://localhost:9000', rpcUrl: 'http://[::1]:8899' }
    expect(read(local).programId).toBe(LOCAL.programId)
  })

  it.each([
    ['the service is elsewhere', { url: REMOTE }],
    ['the node is elsewhere', { rpcUrl: REMOTE }],
    ['both are elsewhere', { url: REMOTE, rpcUrl: 'https://127.0.0.1.example' }],
  ])('must be given if %s', (_name, remote) => {
    const settings = read(remote)
    expect(() => settings.programId).toThrow(
      expect.objectContaining({ name: 'CliError', code: 'SETTING_INVALID' }),
    )
    expect(read({ ...remote, programId: PROGRAM }).programId).toBe(PROGRAM)
  })

  it('is refused at once if it is no address', () => {
    expect(() => read({ programId: 'x' })).toThrow('not a base58 address')
  })
})
