import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { createRpcClient } from '../../src/adapters/rpc/rpc-client.ts'
import { readConfig, type Config } from '../../src/config.ts'
import {
  openOperatorToken,
  openRelayers,
  openSecrets,
  openSigner,
} from '../../src/start/open-keys.ts'
import { readAgreedMint } from '../../src/operator/asset/token-mint.ts'
import { openPrices } from '../../src/start/open-prices.ts'
import { openScreener } from '../../src/start/open-screener.ts'
import { startKms } from '../remote/kms-server.ts'
import { movedClock } from '../remote/no-wait-clock.ts'
import { startRemote } from '../remote/remote-server.ts'
import { startRpc } from '../remote/rpc-server.ts'
import { startVault } from '../remote/vault-server.ts'

const NOW_S = 1_795_000_000
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address
const clock = movedClock(NOW_S * 1_000)
let closing: (() => Promise<void>)[]
beforeEach(() => {
  closing = []
})
afterEach(() => Promise.all(closing.map((close) => close())))
function closed<Server extends { readonly close: () => Promise<void> }>(server: Server): Server {
  closing.push(server.close)
  return server
}

const configured = (more: Record<string, string>): Config =>
  readConfig({
    SOTTO_RPC_URL: 'http://127.0.0.1:9',
    SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
    SOTTO_CLUSTER: 'devnet',
    ...more,
  })
const inFile = async (text: string): Promise<string> => {
  const path = join(await mkdtemp(join(tmpdir(), 'sotto-secret-')), 'secret')
  await writeFile(path, `${text}\n`)
  return path
}

it('each key is used at its configured location', async () => {
  const vault = closed(await startVault('hvs.first'))
  const kms = closed(await startKms(clock.nowMs))
  kms.known.set('AKIDEXAMPLE', { secret: 'secret' })
  for (const name of ['relayer-1', 'relayer-2']) vault.makeKey(name)
  const tokenFile = await inFile('hvs.first')
  const config = configured({
    SOTTO_KEYSTORE: 'vault',
    SOTTO_AUTHORISER_KEY: 'aws-kms:alias/relayer',
    SOTTO_RELAYER_KEYS: 'vault:relayer-1,vault:relayer-2',
    SOTTO_VAULT_URL: vault.url,
    SOTTO_VAULT_TOKEN_FILE: tokenFile,
    SOTTO_AWS_REGION: 'eu-central-1',
    SOTTO_AWS_KMS_URL: `${kms.url}/`,
    SOTTO_AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    SOTTO_AWS_SECRET_ACCESS_KEY_FILE: await inFile('secret'),
  })
  const message = new Uint8Array([1])
  const authoriser = await openSigner(config, config.AUTHORISER_KEY, clock)
  expect((await authoriser.sign(message)).length).toBe(64)
  const relayers = await openRelayers(config, clock)
  expect(new Set(relayers.map(({ address }) => address)).size).toBe(2)
  vault.token = 'hvs.renewed'
  await writeFile(tokenFile, 'hvs.renewed')
  expect((await relayers[0]!.sign(message)).length).toBe(64)
  const secrets = openSecrets(config, systemRandom, clock)
  await secrets.forNewOrder(7)
  expect([...vault.kv.keys()]).toEqual(['sotto/epochs/7'])
  expect(await openOperatorToken(config, systemRandom, clock)).toHaveLength(64)
})

const [SOL_FEED, USDC_FEED] = ['ab'.repeat(32), 'cd'.repeat(32)]
/** Starts a server with Pyth's prices: one SOL is worth 150 dollars, and one USDC is worth one dollar. */
async function startHermes() {
  const price = (id: string, dollars: string) => {
    const of = { price: dollars, conf: '0', expo: -2, publish_time: NOW_S }
    return { id, price: of }
  }
  const parsed = [price(SOL_FEED, '15000'), price(USDC_FEED, '100')]
  const { url } = closed(await startRemote(() => ({ status: 200, json: { parsed } })))
  return {
    SOTTO_PYTH_URL: url,
    SOTTO_PYTH_FEEDS: `${NATIVE_MINT}=${SOL_FEED},${USDC}=${USDC_FEED}`,
  }
}

/** A mint with this number of decimals, as a node shows it. */
function mintOf(decimals: number) {
  const mint = Buffer.alloc(82)
  mint.set([decimals, 1], 44)
  return {
    data: [mint.toString('base64'), 'base64'],
    executable: false,
    lamports: 1,
    owner: TOKEN_PROGRAM_ADDRESS,
    rentEpoch: 0,
    space: 82,
  }
}

const listedDecimals = async (mint: Address) => (mint === USDC ? 6 : undefined)

it('no rate is given if two price sources disagree', async () => {
  const rpc = closed(await startRpc(1_000))
  rpc.accounts = [mintOf(6)]
  let outAmount = 150_900_000
  const jupiter = closed(
    await startRemote(({ url }) => {
      const { inputMint, outputMint, amount } = Object.fromEntries(url.searchParams)
      const asked = { inputMint, outputMint, inAmount: amount, swapMode: 'ExactIn' }
      const found = { outAmount: `${outAmount}`, priceImpactPct: '0', contextSlot: 1_000 }
      return { status: 200, json: { ...asked, ...found } }
    }),
  )
  const config = configured({
    SOTTO_PRICES: 'pyth,jupiter',
    ...(await startHermes()),
    SOTTO_JUPITER_URL: jupiter.url,
  })
  const events: unknown[][] = []
  const log = { event: (...all: unknown[]) => void events.push(all), failed: () => undefined }
  const chain = createRpcClient(rpc.url)
  const prices = await openPrices({ config, rpc: chain, listedDecimals, clock, log })
  const rate = (await prices.readRate(NATIVE_MINT, USDC))!
  expect((10n ** 9n * rate.numerator) / rate.denominator).toBe(150_000_000n)
  outAmount = 151_600_000
  clock.advanceMs(2_000)
  expect(await prices.readRate(NATIVE_MINT, USDC)).toBeUndefined()
  expect(events).toEqual([['prices_disagree']])
})

it('no rate is given while the node and the listing show different decimals of a mint', async () => {
  const rpc = closed(await startRpc(1_000))
  const config = configured({ SOTTO_PRICES: 'pyth', ...(await startHermes()) })
  const log = { event: () => undefined, failed: () => undefined }
  const chain = createRpcClient(rpc.url)
  const listed = new Map([[USDC, 6]])
  const prices = await openPrices({
    ...{ config, rpc: chain, clock, log },
    listedDecimals: async (mint) => listed.get(mint),
  })
  // With three decimals instead of six, a swap into USDC would pay a thousandth of its worth, and a swap out of USDC
  // would pay a thousand times its worth.
  rpc.accounts = [mintOf(3)]
  await expect(prices.readRate(USDC, NATIVE_MINT)).rejects.toThrow(/different decimals/)
  await expect(prices.readRate(NATIVE_MINT, USDC)).rejects.toThrow(/different decimals/)
  rpc.accounts = [mintOf(6)]
  const rate = (await prices.readRate(NATIVE_MINT, USDC))!
  expect((10n ** 9n * rate.numerator) / rate.denominator).toBe(150_000_000n)
  const unlisted = await openPrices({
    ...{ config, rpc: chain, clock, log },
    listedDecimals: async () => undefined,
  })
  await expect(unlisted.readRate(NATIVE_MINT, USDC)).rejects.toThrow(/not listed/)
})

it('an asset is not added if nodes show different decimals of its mint', async () => {
  const [first, second] = [closed(await startRpc(1_000)), closed(await startRpc(1_000))]
  const nodes = [first, second].map(({ url }) => createRpcClient(url))
  const context = { rpc: nodes[0]!, witnesses: nodes }
  first.accounts = [mintOf(3)]
  second.accounts = [mintOf(6)]
  await expect(readAgreedMint(context, USDC)).rejects.toThrow(/different decimals/)
  first.accounts = [mintOf(6)]
  expect(await readAgreedMint(context, USDC)).toMatchObject({ kind: 'token', decimals: 6 })
})

it('the screening service is not asked about an address on the deny list', async () => {
  const asked = closed(await startRemote(() => ({ status: 200, json: { identifications: [] } })))
  const config = configured({
    SOTTO_SCREENER: 'http,deny-list',
    SOTTO_SCREENER_URL: asked.url,
    SOTTO_DENY_LIST_FILE: await inFile(USDC),
  })
  const log = { failed: () => undefined }
  const screener = await openScreener({ config, clock, random: systemRandom, log })
  expect(await screener.isRefused(USDC, 'local')).toBe(true)
  expect(asked.asked).toEqual([])
  expect(await screener.isRefused(NATIVE_MINT, 'local')).toBe(false)
  expect(asked.asked).toHaveLength(1)
})
