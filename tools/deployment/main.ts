// `npm run deployment-test`: runs every command of docs/deployment/cluster.md on Agave's test validator, in the order
// of the page: the program is deployed, the pool is made, the authority is handed over, and the admin's transactions
// are signed separately. It uses the built service. `--embedded` uses the embedded chain instead, which only shows that
// commands and page agree. Without a Solana CLI 4.0 or newer on the path or in SOTTO_SOLANA, a stand-in sends the
// loader's instructions. Ends with "N passed, N failed".
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { NATIVE_MINT } from '@sotto/protocol'
import { address } from '@solana/kit'
import { Chain } from '../../demo/src/chain.ts'
import { keypairFile } from '../../demo/src/stack/keypair-file.ts'
import { payerTreasury } from '../../demo/src/stack/payer-treasury.ts'
import { buildService } from '../../deploy/build/build-service.ts'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { isShown } from '../quickstart/compare-output.ts'
import { readPage, type Step } from '../quickstart/read-page.ts'
import { endTerminalsAtExit, openTerminal, type Terminal } from '../quickstart/terminal.ts'
import { prepareCast } from './cast.ts'
import { isEmbedded, openCluster } from './cluster.ts'

const PAGE = 'docs/deployment/cluster.md'
const SOL = 1_000_000_000n
/** The initial lamports of the page's wallet, and the most that deploying may cost, as the page states. */
const DEPLOYER_LAMPORTS = 5n * SOL
const DEPLOYMENT_LAMPORTS = 730_000_000n
const POLL_MS = 400

const run = promisify(execFile)

/** A Solana CLI that is new enough to deploy programs of sBPF version 3; undefined if there is none. */
async function findSolana(): Promise<string | undefined> {
  const named = process.env['SOTTO_SOLANA'] ?? 'solana'
  const shown = await run(named, ['--version']).catch(() => ({ stdout: '' }))
  const major = /^solana-cli (\d+)\./.exec(shown.stdout)?.[1]
  return major !== undefined && parseInt(major, 10) >= 4 ? named : undefined
}

interface Walk {
  readonly terminal: Terminal
  readonly balance: () => Promise<bigint>
  printed: string
}

/** Executes one step of the page. @throws Error if the page is wrong. */
async function follow(walk: Walk, step: Step): Promise<void> {
  if (step.kind === 'see') {
    if (!isShown(step.text, walk.printed)) throw new Error(`printed instead:\n${walk.printed}`)
    return
  }
  if (step.kind !== 'type') throw new Error(`no step of the guide may be a block of this kind`)
  const before = await walk.balance()
  walk.printed = await walk.terminal.type(step.text)
  const spent = before - (await walk.balance())
  if (!/^solana program deploy /m.test(step.text)) return
  console.log(`    deploying took ${spent} lamports`)
  if (spent > DEPLOYMENT_LAMPORTS) throw new Error(`more than ${DEPLOYMENT_LAMPORTS} lamports`)
}

endTerminalsAtExit()
const home = await mkdtemp(path.join(tmpdir(), 'sotto-deployment-'))
const solana = await findSolana()
const service = path.join(repositoryRoot, 'dist/deployment-test')
await buildService(service)
const cluster = await openCluster(home)
let [passed, failed] = [0, 0]
try {
  const chain = new Chain(cluster.rpcUrl, POLL_MS)
  const cast = await prepareCast(home, cluster.rpcUrl, service, solana)
  const payer = await keypairFile(cluster.payerFile)
  const treasury = payerTreasury(chain, payer, path.join(home, 'sotto', 'mint.json'))
  const mint = await treasury.createToken()
  await treasury.fund(address(cast.deployer), DEPLOYER_LAMPORTS)
  await treasury.mint(address(cast.env['MULTISIG'] ?? ''), mint, 10n * SOL)
  console.log(solana === undefined ? 'solana: the stand-in' : `solana: ${solana}`)
  const plain = Object.entries(process.env).filter(([name]) => !/^npm_|^SOTTO_/.test(name))
  const env = { ...Object.fromEntries(plain), ...cast.env, HOME: home, MINT: mint }
  const walk: Walk = {
    terminal: openTerminal(repositoryRoot, env),
    balance: () => chain.balance(address(cast.deployer), NATIVE_MINT),
    printed: '',
  }
  for (const step of readPage(await readFile(path.join(repositoryRoot, PAGE), 'utf8'))) {
    const name = `${PAGE}:${step.line} ${step.kind}`
    if (isEmbedded && step.kind === 'type' && step.text.includes('--nonce')) {
      console.log(`--  ${name}: skipped, because the embedded chain has no durable nonces`)
      continue
    }
    try {
      await follow(walk, step)
      passed += 1
      console.log(`ok  ${name}`)
    } catch (error) {
      failed += 1
      console.log(`FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}`)
      // A reader would stop at a step that fails.
      break
    }
  }
  await walk.terminal.interrupt()
} finally {
  await cluster.stop()
  await rm(home, { recursive: true, force: true })
  await rm(service, { recursive: true, force: true })
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
