import { address } from '@solana/kit'
import { amount, encodeTicket, unixSeconds } from '@sotto/protocol'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runSotto } from './run-sotto.ts'

const program = address('So11111111111111111111111111111111111111112')
const ticket = encodeTicket({
  program,
  orderId: new Uint8Array(16).fill(7),
  note: {
    nk: 7n,
    claim: { kind: 'transfer', recipient: program, amountOut: amount(1n) },
    ...{ sender: program, mint: program, value: amount(2n) },
    ...{ deadline: unixSeconds(1_800_000_000n), expiry: unixSeconds(1_800_003_000n) },
  },
})

/** A node that never answers. Calls `asked` for each request. */
async function silentNode(asked: () => void) {
  const server = createServer(() => asked())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.closeAllConnections() }
}

it('ends a recovery at Ctrl-C if the node never answers', async () => {
  const home = await mkdtemp(join(tmpdir(), 'sotto-'))
  await writeFile(join(home, 'ticket'), ticket)
  let interrupt = () => {}
  const node = await silentNode(() => interrupt())
  // `show` makes a request before it prints anything, so the first request triggers the interruption.
  const args = ['recover', 'show', join(home, 'ticket'), '--rpc', node.url, '--table']
  const ended = runSotto(
    args,
    { SOTTO_HOME: home },
    { started: (kill) => (interrupt = () => kill('SIGINT')) },
  )
  expect(await ended).toMatchObject({
    code: 130,
    stderr: expect.stringMatching(
      /^stopping; press Ctrl-C again to end at once\n.*INTERRUPTED; next: /s,
    ),
  })
  node.close()
})
