import { Command } from 'commander'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { registerCapitalCommand } from './capital-command.ts'

/** Runs `capital` with these arguments, and returns its table. */
async function shownFor(...args: string[]): Promise<string> {
  const shown: string[] = []
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined })
  registerCapitalCommand(program, (_result, text = '') => void shown.push(text))
  await program.parseAsync(['capital', ...args], { from: 'user' })
  return shown.join()
}

/**
 * Calls `use` with the address of a node that shows an account with these bytes. If `data` is undefined, the node shows
 * no account.
 */
async function atNode<T>(data: Buffer | undefined, use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const value = data && {
        owner: 'Sysvar1111111111111111111111111111111111111',
        data: [data.toString('base64'), 'base64'],
      }
      response.setHeader('Content-Type', 'application/json')
      response.end(
        JSON.stringify({
          jsonrpc: '2.0',
          id: '0',
          result: { context: { slot: 1 }, value: value ?? null },
        }),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
  }
}

const RENT = Buffer.alloc(17)
RENT.writeBigUInt64LE(5_080n)
RENT.writeDoubleLE(1, 8)

it('with --rpc, the figures follow the rent that the cluster states', async () => {
  const read = await atNode(RENT, (url) => shownFor('--rpc', url))
  expect(read).toBe(await shownFor('--lamports-per-byte', '5080'))
  expect(read).not.toBe(await shownFor())
})

it('refuses a node that shows no rent, and two sources of the rent', async () => {
  await atNode(undefined, async (url) => {
    await expect(shownFor('--rpc', url)).rejects.toThrow('--lamports-per-byte')
    const both = ['--rpc', url, '--lamports-per-byte', '5080']
    await expect(shownFor(...both)).rejects.toThrow('cannot be used with')
  })
})
