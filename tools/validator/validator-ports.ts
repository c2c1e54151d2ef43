import { assertFree } from '../../demo/src/stack/assert-free.ts'

/** Number of ports that one validator uses. */
const PORTS = 54
/** The first port of the search for free ports. */
export const FIRST_PORT = 18_999
const TRIES = 20

/** The ports of a validator. The port of its WebSocket follows the port of its RPC. */
export const portsFrom = (first: number) => ({
  rpc: first,
  webSocket: first + 1,
  faucet: first + 2,
  gossip: first + 3,
  others: { first: first + 4, last: first + PORTS - 1 },
})

/**
 * Checks that the ports for RPC, WebSocket, faucet and gossip are free. @throws Error that names the port and the
 * option.
 */
export async function assertFreePorts(first: number): Promise<void> {
  const { rpc, webSocket, faucet, gossip } = portsFrom(first)
  for (const port of [rpc, webSocket, faucet, gossip]) await assertFree(port, '--port')
}

/**
 * The first port of a range whose ports for RPC, WebSocket, faucet and gossip are free, so validators can run in
 * parallel. The other ports of the range aren't checked. @throws Error if none of the first 20 ranges has free ports.
 */
export async function freeRange(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const first = FIRST_PORT + tried * PORTS
    const isFree = await assertFreePorts(first).then(
      () => true,
      () => false,
    )
    if (isFree) return first
  }
  throw new Error(
    `each of the ${TRIES} ranges of ${PORTS} ports that start at port ${FIRST_PORT} has a port in use`,
  )
}
