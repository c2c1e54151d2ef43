import { associatedTokenAddress, encodeBase58, FORGOTTEN_MS, type Address } from '@sotto/protocol'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock } from 'node:test'
import { getHeapSnapshot } from 'node:v8'
import { Decoys } from '../src/adapters/chain/recipients/decoys.ts'
import { withRecipientCache } from '../src/adapters/chain/transfer/recipient-cache.ts'
import { systemRandom } from '../src/adapters/random/system-random.ts'
import { openHttpScreener } from '../src/adapters/screener/http-screener.ts'
import type { Chain } from '../src/ports/chain.ts'
import { assertAddress } from '../src/usecases/assert-address.ts'

// This process uses two wallets as a quote does. It searches its own heap for the wallets, before and after a day. It
// prints the results as JSON.

const MINT = 'So11111111111111111111111111111111111111112' as Address
const DAY_MS = 86_400_000

/**
 * Reverses an address. The test keeps only reversed addresses, because it searches the heap for the addresses
 * themselves.
 */
const reversed = (text: string) => [...text].reverse().join('')

/**
 * Collects garbage, and then searches a snapshot of this process's heap for texts. The texts are given in reverse.
 * Returns true for each text that the heap has.
 */
async function inHeap(sought: readonly string[]): Promise<boolean[]> {
  const found = new Set<string>()
  let rest = ''
  for await (const chunk of getHeapSnapshot()) {
    const text = rest + (chunk as Buffer).toString('latin1')
    for (const [word] of text.matchAll(/[1-9A-HJ-NP-Za-km-z]{43,44}/g)) found.add(reversed(word))
    rest = text.slice(-200)
  }
  return sought.map((one) => found.has(one))
}

/** Uses two wallets as a quote does. Returns their addresses in reverse. */
async function quote(caches: {
  readonly chain: Chain
  readonly screener: ReturnType<typeof openHttpScreener>
  readonly decoys: Decoys
}): Promise<string[]> {
  const [sender, recipient] = [randomBytes(32), randomBytes(32)].map((bytes, index) =>
    assertAddress(index === 0 ? 'senderAddress' : 'recipientAddress', encodeBase58(bytes)),
  ) as [Address, Address]
  await Promise.all(
    [sender, recipient].map(async (one) => caches.screener.isRefused(one, 'account')),
  )
  await caches.chain.readRecipient(MINT, recipient, 'account')
  await caches.decoys.of(MINT, recipient, () => false, 'account')
  await Promise.all([sender, recipient].map((one) => associatedTokenAddress(one, MINT)))
  return [sender, recipient].map(reversed)
}

const screening = createServer((_, response) => response.end('{ "identifications": [] }'))
await once(screening.listen(0, '127.0.0.1'), 'listening')
mock.timers.enable({ apis: ['setTimeout', 'Date'] })
const clock = { nowMs: () => Date.now(), sleep: async () => {} }
const url = `http://127.0.0.1:${(screening.address() as AddressInfo).port}`
const chain = { readRecipient: async () => 'payable' } as unknown as Chain
const caches = {
  chain: withRecipientCache(chain, clock),
  screener: openHttpScreener({
    ...{ url, apiKey: undefined, timeoutMs: 1_000, spreadMs: 0 },
    ...{ keptMs: 60_000, clock, random: systemRandom },
  }),
  decoys: new Decoys({ clock, random: systemRandom }),
}
const wallets = await quote(caches)
const before = await inHeap(wallets)
mock.timers.tick(Math.max(FORGOTTEN_MS, DAY_MS) + 1)
await caches.decoys.prepare()
const after = await inHeap(wallets)
process.stdout.write(JSON.stringify({ before, after }))
screening.closeAllConnections()
screening.close()
