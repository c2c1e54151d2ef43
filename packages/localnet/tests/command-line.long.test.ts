import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateKeyPairSigner } from '@solana/kit'
import { expect, test } from 'vitest'
import { startProcess, runToEnd } from './chain-process.ts'
import { call, connect } from './client.ts'
import { temporaryFolder } from './temporary-folder.ts'

test('help names every option and exits with 0', async () => {
  const { code, stdout } = await runToEnd(['--help'])
  expect(code).toBe(0)
  for (const option of [
    '--port',
    '--host',
    '--data',
    '--program',
    '--slot-ms',
    '--standard-only',
    '--json',
  ]) {
    expect(stdout).toContain(option)
  }
})

test('WebSocket is served on the RPC port and on the port after it', async () => {
  const { endpoints, end } = await startProcess([])
  const same = endpoints.rpcUrl.replace('http', 'ws')
  for (const wsUrl of [endpoints.wsUrl, same]) {
    const abort = new AbortController()
    const slots = await connect({ ...endpoints, wsUrl })
      .rpcSubscriptions.slotNotifications()
      .subscribe({ abortSignal: abort.signal })
    for await (const { slot } of slots) {
      expect(slot).toBeGreaterThan(0n)
      break
    }
    abort.abort()
  }
  expect(await end('SIGINT')).toBe(0)
})

test('the start fails if the port is in use', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  const { code, stderr } = await runToEnd(['--port', String(port)])
  holder.close()
  expect(code).toBe(1)
  expect(stderr).toContain(`127.0.0.1:${port}`)
  expect(stderr).toContain('--port')
})

test('the start fails if the folder is in use or its log is damaged', async () => {
  const dataFolder = temporaryFolder()
  const first = await startProcess(['--data', dataFolder])
  const second = await runToEnd(['--port', '0', '--data', dataFolder])
  expect(second.code).toBe(1)
  expect(second.stderr).toMatch(/in use by process \d+/)
  expect(await first.end('SIGTERM')).toBe(0)
  const path = join(dataFolder, 'chain.log')
  writeFileSync(path, 'this is not a log, only text')
  const damaged = await runToEnd(['--port', '0', '--data', dataFolder])
  expect(damaged.code).toBe(1)
  expect(damaged.stderr).toContain(`${path} is damaged: the record at byte 0`)
})

test('the start fails with invalid options', async () => {
  for (const args of [['--port', 'x'], ['--slot-ms', '0'], ['--program', 'nothing'], ['--what']]) {
    const { code, stderr } = await runToEnd(args)
    expect(code).toBe(1)
    expect(stderr).toContain('error:')
  }
})

test('the chain refuses its own methods with --standard-only', async () => {
  const { endpoints, end } = await startProcess(['--standard-only'])
  const ask = (method: string) => call(endpoints, method, [])
  await expect(ask('localnet_setFaults')).rejects.toThrow('Method not found')
  expect(await ask('getHealth')).toBe('ok')
  expect(await end('SIGTERM')).toBe(0)
})

test('the start fails if a file is not a program', async () => {
  const file = join(temporaryFolder(), 'program.so')
  writeFileSync(file, 'no program')
  const { address } = await generateKeyPairSigner()
  const { code, stderr } = await runToEnd(['--port', '0', '--program', `${address}=${file}`])
  expect(code).toBe(1)
  expect(stderr).toContain(`program ${address} can't be loaded`)
})
