import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Chain } from '../../demo/src/chain.ts'
import { GENEROUS } from '../../demo/src/sizes.ts'
import { callLocal } from '../../demo/src/stack/call-local.ts'
import { keypairFile } from '../../demo/src/stack/keypair-file.ts'
import { localTreasury } from '../../demo/src/stack/local-treasury.ts'
import { LOCAL_PROGRAM, startLocalnet } from '../../demo/src/stack/services.ts'
import { setUp } from '../../demo/src/stack/set-up.ts'
import { buildPages } from '../../packages/web/index.ts'
import { startRemote } from '../../packages/server/tests/remote/remote-server.ts'
import { startOtlpReceiver } from '../../packages/server/tests/tracing/otlp-receiver.ts'
import { startReceiver } from '../../packages/server/tests/webhooks/receiver.ts'
import { BRISK, SLOT_MS } from '../stage/brisk-settings.ts'
import { startFaultProxy } from '../stage/fault-proxy.ts'
import { freePort } from '../stage/free-port.ts'
import { undoAll, type Undo } from '../stage/open-ground.ts'
import { WatchedService } from './watched-service.ts'

/**
 * The limit of the process's heap. It is small, so that a test can fill the heap and make the process crash quickly.
 */
const HEAP_MB = 220

/** The addresses of one order. No request may contain two of them. */
export interface OrderParties {
  readonly sender: string
  readonly recipient: string
  readonly order: string
}

export type PrivateStage = Awaited<ReturnType<typeof start>>

/**
 * Starts the service with all systems that it calls or notifies. Each system is a server that a test can make fail. The
 * stage keeps all output of the service.
 */
async function start(folder: string, words: string, undo: Undo) {
  const [keys, reports] = [join(folder, 'keys'), join(folder, 'reports')]
  for (const one of [keys, reports]) await mkdir(one, { recursive: true, mode: 0o700 })
  const adminFile = join(keys, 'admin.json')
  const { address } = await keypairFile(adminFile)
  const more = ['--slot-ms', String(SLOT_MS)]
  const localnet = await startLocalnet({ port: 0, upgradeAuthority: address, more })
  undo.push(localnet.stop)
  const { rpcUrl } = localnet.ready
  const asked = { node: [] as string[], recipientNode: [] as string[] }
  const proxy = await startFaultProxy(rpcUrl, 1, (body) => asked.node.push(body))
  undo.push(proxy.stop)
  const recipientProxy = await startFaultProxy(rpcUrl, 2, (body) => asked.recipientNode.push(body))
  undo.push(recipientProxy.stop)
  const collector = await startOtlpReceiver()
  undo.push(collector.stop)
  const screener = await startRemote(() => ({ status: 200, json: { identifications: [] } }))
  undo.push(screener.close)
  const endpoint = await startReceiver()
  undo.push(endpoint.close)
  const chain = new Chain(rpcUrl)
  const treasury = localTreasury(chain, rpcUrl)
  const env = {
    SOTTO_CLUSTER: 'localnet',
    SOTTO_RPC_URL: proxy.url,
    SOTTO_RECIPIENT_RPC_URLS: recipientProxy.url,
    SOTTO_PROGRAM_ID: LOCAL_PROGRAM,
    SOTTO_KEYS: keys,
    SOTTO_DATA: join(folder, 'data'),
    SOTTO_PRICES_FILE: join(folder, 'prices.json'),
  } as const
  const setup = await setUp({
    ...{ adminFile, env, sizes: GENEROUS, treasury },
    folders: { keys, prices: env.SOTTO_PRICES_FILE, commands: join(folder, 'set-up.jsonl') },
  })
  const metricsPort = await freePort()
  const pages = join(folder, 'pages')
  await buildPages(pages)
  const screenerKey = `of-the-screener-${words.slice(0, 9)}`
  const service = new WatchedService({
    ...env,
    SOTTO_PORT: String(await freePort()),
    SOTTO_METRICS_PORT: String(metricsPort),
    SOTTO_LOG_LEVEL: 'debug',
    SOTTO_TRACING_URL: collector.url,
    SOTTO_WEB_API_KEY: setup.apiKey,
    SOTTO_WEB_PAGES: pages,
    SOTTO_SCREENER: 'http',
    SOTTO_SCREENER_URL: screener.url,
    SOTTO_SCREENER_API_KEY: screenerKey,
    SOTTO_SCREENER_SPREAD_MS: '0',
    ...BRISK,
    WORDS: words,
    NODE_OPTIONS: `--report-on-fatalerror --report-uncaught-exception --report-directory=${reports} --max-old-space-size=${HEAP_MB}`,
  })
  undo.push(() => service.end('SIGTERM'))
  return {
    ...{ proxy, collector, screener, endpoint, chain, treasury, setup, service, reports },
    ...{ metricsPort, screenerKey, keys },
    /** The bodies of all requests to each node, and the addresses of all placed orders. */
    ...{ asked, orders: [] as OrderParties[] },
    advance: (seconds: number) => callLocal(rpcUrl, 'localnet_advanceTime', [seconds]),
    scrape: async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
  }
}

export async function openPrivateStage(
  folder: string,
  words: string,
): Promise<PrivateStage & { readonly close: () => Promise<void> }> {
  const undo: Undo = []
  try {
    return { ...(await start(folder, words, undo)), close: () => undoAll(undo) }
  } catch (error) {
    await undoAll(undo)
    throw error
  }
}
