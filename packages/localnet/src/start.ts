import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:http'
import { Faults } from './faults/faults.ts'
import { LateQueue } from './chain/late-queue.ts'
import type { Program } from './chain/load-program.ts'
import { LostForks } from './chain/lost-forks.ts'
import { openChain } from './open-chain.ts'
import { Dispatcher } from './rpc/dispatch.ts'
import { createRpcServer } from './rpc/http-server.ts'
import { OWN_METHODS, methodTable } from './rpc/method-table.ts'
import type { RpcMethod } from './rpc/method.ts'
import { startTicking } from './slot-timer.ts'
import { SubscriptionServer } from './subscriptions/subscription-server.ts'

/** Options for a local chain; every member has a default. */
export interface LocalnetOptions {
  /** Port of JSON-RPC. WebSocket uses the port after it. With 0, the system chooses two free ports. */
  readonly port?: number
  /** Address to listen on. The default is 127.0.0.1, because anyone who can connect can mint tokens. */
  readonly host?: string
  /** Folder with the chain's state. Without a folder, the state is only in memory. */
  readonly dataFolder?: string
  /** Programs to load under the upgradeable loader. */
  readonly programs?: readonly Program[]
  /** Milliseconds per slot; default 400, as on the public clusters. */
  readonly slotMs?: number
  /** True if the node serves only Solana's own methods, as a public node does; default false. */
  readonly standardOnly?: boolean
  /** Lamports that an account must hold for each byte; default 6,960, as on mainnet today. */
  readonly lamportsPerByte?: bigint
  /**
   * Number of blocks by which `confirmed` lags behind `processed`; default 1. `finalizedLag` does the same for
   * `finalized`; default 3.
   */
  readonly confirmedLag?: number
  readonly finalizedLag?: number
  /**
   * Called if the log can't be written. The callback must end the process. Without a callback, the failed write throws
   * its error, and the process continues.
   */
  readonly onJournalFailure?: (error: unknown) => void
  /** Called with unexpected errors of this node. By default, they are ignored. */
  readonly onInternalError?: (error: unknown) => void
}

/** A running local chain. */
export interface Localnet {
  readonly rpcUrl: string
  /** WebSocket on the port after the JSON-RPC port. The port of `rpcUrl` accepts WebSocket too. */
  readonly wsUrl: string
  readonly genesisHash: Uint8Array
  /** The address of the faucet, which pays airdrops and is the mint authority of test tokens. */
  readonly faucet: string
  /** Stops serving, writes all remaining data and releases the data folder. Calling it again is harmless. */
  stop(): Promise<void>
}

export const DEFAULT_PORT = 8899
export const DEFAULT_SLOT_MS = 400
const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_LAG = { confirmed: 1, finalized: 3 }

/**
 * Starts a local chain. Throws DamagedLog, DataFolderConflict or DataFolderLocked if the data folder can't be used.
 * Throws UnloadableProgram if a program can't be loaded, and the system's error if a port is in use.
 */
export async function startLocalnet(options: LocalnetOptions = {}): Promise<Localnet> {
  const slotMs = options.slotMs ?? DEFAULT_SLOT_MS
  const opened = await openChain({
    dataFolder: options.dataFolder ?? null,
    programs: options.programs ?? [],
    lamportsPerByte: options.lamportsPerByte,
    lag: {
      confirmed: options.confirmedLag ?? DEFAULT_LAG.confirmed,
      finalized: options.finalizedLag ?? DEFAULT_LAG.finalized,
    },
    onJournalFailure: options.onJournalFailure ?? (() => undefined),
  })
  const { chain, queue, faucet } = opened
  const faults = new Faults()
  const late = new LateQueue(chain, queue)
  const forks = new LostForks()
  const services = { chain, queue, late, forks, faucet, faults, slotMs }
  const rpc = createRpcServer(
    new Dispatcher(methodsFor(options), services, options.onInternalError ?? (() => undefined)),
  )
  const ws = createServer((_, response) => response.writeHead(426).end('Use WebSocket here.\n'))
  const subscriptions = new SubscriptionServer({ chain, faults })
  for (const server of [rpc, ws]) {
    server.on('upgrade', (request, socket, head) => subscriptions.upgrade(request, socket, head))
  }
  const host = options.host ?? DEFAULT_HOST
  const port = options.port ?? DEFAULT_PORT
  const stopServing = async () => {
    subscriptions.close()
    await Promise.all([close(rpc), close(ws)])
    opened.close()
  }
  try {
    await listen(rpc, port, host)
    await listen(ws, port === 0 ? 0 : port + 1, host)
  } catch (error) {
    await stopServing()
    throw error
  }
  const stopTicking = startTicking(chain, slotMs)
  let stopped: Promise<void> | null = null
  const stop = () => {
    stopTicking()
    // A second close would write to a closed file descriptor. The system may have given the number of that descriptor
    // to another file.
    stopped ??= stopServing()
    return stopped
  }
  return {
    rpcUrl: `http://${host}:${portOf(rpc)}`,
    wsUrl: `ws://${host}:${portOf(ws)}`,
    genesisHash: chain.genesisHash,
    faucet: faucet.signer.address,
    stop,
  }
}

function methodsFor({ standardOnly }: LocalnetOptions): readonly RpcMethod[] {
  return standardOnly === true
    ? methodTable.filter(({ name }) => !name.startsWith(OWN_METHODS))
    : methodTable
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
