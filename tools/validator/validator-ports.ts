import { assertFree } from '../../demo/src/stack/assert-free.ts'

/** The number of ports of one validator. */
const PORTS = 54
/** Where the search for free ports begins. */
export const FIRST_PORT = 18_999
const TRIES = 20

/** The ports of a validator. Its WebSocket has the port after the RPC's. */
export const portsFrom = (first: number) => ({
  rpc: first,
  webSocket: first + 1,
  faucet: first + 2,
  gossip: first + 3,
  others: { first: first + 4, last: first + PORTS - 1 },
})

/** Checks that the ports for clients are free. @throws Error that names the port and the option. */
export async function assertFreePorts(first: number): Promise<void> {
  const { rpc, webSocket, faucet, gossip } = portsFrom(first)
  for (const port of [rpc, webSocket, faucet, gossip]) await assertFree(port, '--port')
}

/** The first port of a free range, for runs that may run in parallel. @throws Error if all are in use. */
export async function freeRange(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const first = FIRST_PORT + tried * PORTS
    const isFree = await assertFreePorts(first).then(
      () => true,
      () => false,
    )
    if (isFree) return first
  }
  throw new Error(`no range of ${PORTS} ports from ${FIRST_PORT} on is free`)
}
