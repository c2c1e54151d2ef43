// `npm run deployment-test`: runs every command of docs/deployment/cluster.md, in the order of the page, on Agave's
// test validator and with the built service. The commands deploy the program, create the pool, transfer the authority,
// and sign the admin's transactions on a separate machine. At the end, the program is upgraded and rolled back while
// notes are open, and all of these notes must be paid. With `--embedded`, the embedded chain replaces the validator.
// Then the run only shows that the commands match the page. With `--squads FILE`, a multisig of Squads v4 with three
// members is the admin and the upgrade authority. The test uses a Solana CLI 4.0 or newer on the path or in
// SOTTO_SOLANA. If there is no such CLI, a replacement sends the loader's instructions. With `--embedded --rent N`, the
// embedded chain's rent is N lamports per byte. The deploying wallet gets exactly the SOL that the page states. Ends
// with "N passed, N failed".
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { NATIVE_MINT } from '@sotto/protocol'
import { address } from '@solana/kit'
import { Chain } from '../../demo/src/chain.ts'
import { playScenes, showReport } from '../../demo/src/play-scenes.ts'
import { keypairFile } from '../../demo/src/stack/keypair-file.ts'
import { payerTreasury } from '../../demo/src/stack/payer-treasury.ts'
import { liveNotes } from '../../e2e/live-notes.ts'
import { buildService } from '../../deploy/build/build-service.ts'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { readPage, type Step } from '../quickstart/read-page.ts'
import { endTerminalsAtExit, openTerminal } from '../quickstart/terminal.ts'
import { prepareCast } from './cast.ts'
import { openCluster } from './cluster.ts'
import { readDeploymentCost } from './deployment-cost.ts'
import { MultisigWalk } from './multisig-walk.ts'
import { openNotesStage, writeNextCode } from './notes-stage.ts'
import { parseOptions } from './options.ts'
import { Squads } from './squads.ts'
import { Walk } from './walk.ts'

const PAGE = 'docs/deployment/cluster.md'
const TOKENS = 10_000_000_000n
/** The page's last command pauses deposits. Afterwards, a multisig executes this command, which resumes them. */
const RESUME =
  'sotto-server pool config --unsigned --admin "$MULTISIG" --pause-deposits off --max-deposit-seconds 3000'
const POLL_MS = 400

const run = promisify(execFile)

/** The name or path of a Solana CLI that can deploy programs of sBPF version 3; undefined if there is none. */
async function findSolana(): Promise<string | undefined> {
  const named = process.env['SOTTO_SOLANA'] ?? 'solana'
  // The services that this run starts refuse variables that begin with SOTTO_ and aren't settings.
  delete process.env['SOTTO_SOLANA']
  const shown = await run(named, ['--version']).catch(() => ({ stdout: '' }))
  const major = /^solana-cli (\d+)\./.exec(shown.stdout)?.[1]
  return major !== undefined && parseInt(major, 10) >= 4 ? named : undefined
}

/**
 * Each text occurs in one step of the page that replaces the program. The run executes these steps while notes are
 * open.
 */
const UPGRADE = '$NEXT_CODE'
const ROLL_BACK =
  'program/artefacts/sotto_program.so --program-id "$PROGRAM" --upgrade-authority ~/sotto/admin.json'

const options = parseOptions(process.argv.slice(2))
endTerminalsAtExit()
const home = await mkdtemp(path.join(tmpdir(), 'sotto-deployment-'))
const solana = await findSolana()
const service = path.join(repositoryRoot, 'dist/deployment-test')
await buildService(service)
const cluster = await openCluster(home, options)
let [passed, failed] = [0, 0]

/**
 * Runs, counts and reports a step. Returns false if the step failed. Then the run stops, because a reader would stop
 * too.
 */
async function judge(name: string, step: () => Promise<void>): Promise<boolean> {
  try {
    await step()
    passed += 1
    console.log(`ok  ${name}`)
    return true
  } catch (error) {
    failed += 1
    console.log(`FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

try {
  const chain = new Chain(cluster.rpcUrl, POLL_MS)
  const payer = await keypairFile(cluster.payerFile)
  const folder = path.join(home, 'sotto')
  const treasury = payerTreasury(chain, payer, path.join(folder, 'mint.json'))
  const squads = options.squads === undefined ? undefined : await Squads.create(chain, treasury)
  const cast = await prepareCast(home, cluster.rpcUrl, { service, solana, admin: squads?.vault })
  const mint = await treasury.createToken()
  const page = await readFile(path.join(repositoryRoot, PAGE), 'utf8')
  const server = path.join(service, 'server/sotto-server.mjs')
  const cost = await readDeploymentCost(cluster.rpcUrl, { server, page })
  await treasury.fund(address(cast.deployer), cost.deployer)
  console.log(`the wallet that deploys has ${cost.deployer} lamports`)
  await treasury.mint(address(cast.env['MULTISIG'] ?? ''), mint, TOKENS)
  console.log(
    solana === undefined
      ? 'solana: its replacement in tools/deployment/solana.ts'
      : `solana: ${solana}`,
  )
  const plain = Object.entries(process.env).filter(([name]) => !/^npm_|^SOTTO_/.test(name))
  const next = { NEXT_CODE: await writeNextCode(folder) }
  const env = { ...Object.fromEntries(plain), ...cast.env, HOME: home, MINT: mint, ...next }
  const terminal = openTerminal(repositoryRoot, env)
  const held = () => chain.balance(address(cast.deployer), NATIVE_MINT)
  const walk = new Walk(terminal, held, cost.program)
  const deployer = await keypairFile(path.join(folder, 'deployer.json'))
  const program = address(cast.env['PROGRAM'] ?? '')
  const parties = { chain, deployer, program, folder }
  const reader = squads === undefined ? walk : new MultisigWalk(walk, { ...parties, squads })
  const steps = readPage(page)
  const nameOf = (step: Step) => `${PAGE}:${step.line} ${step.kind}`
  const finding = (text: string) => (step: Step) => step.kind === 'type' && step.text.includes(text)
  const [upgrade, rollBack] = [steps.find(finding(UPGRADE)), steps.find(finding(ROLL_BACK))]
  if (upgrade === undefined || rollBack === undefined) throw new Error('the page has no upgrade')
  const playNotes = async (): Promise<void> => {
    if (reader instanceof MultisigWalk) await reader.type(RESUME)
    const { apiKey } = JSON.parse(
      await terminal.type('sotto-server --json key add --account shop --mode test'),
    ) as { apiKey: string }
    const opened = await openNotesStage(cast, { chain, treasury, mint, apiKey })
    try {
      const change = (step: Step) => async () => {
        if (!(await judge(nameOf(step), () => reader.follow(step))))
          throw new Error('the program was not replaced')
      }
      const changes = { upgrade: change(upgrade), rollBack: change(rollBack) }
      const report = await playScenes(opened, [liveNotes(changes)], performance.now())
      if (showReport(report, false) !== 0) throw new Error('a balance is wrong')
    } finally {
      await opened.close()
    }
  }
  let isGood = true
  for (const step of steps) {
    if (step === upgrade || step === rollBack || !isGood) continue
    if (options.embedded && step.kind === 'type' && step.text.includes('--nonce')) {
      console.log(`--  ${nameOf(step)}: skipped, because the embedded chain has no durable nonces`)
      continue
    }
    isGood = await judge(nameOf(step), () => reader.follow(step))
  }
  if (isGood) await judge('notes before and after an upgrade and a roll-back', playNotes)
  console.log(`the wallet that deployed has ${await held()} lamports left`)
  await terminal.interrupt()
} finally {
  await cluster.stop()
  await rm(home, { recursive: true, force: true })
  await rm(service, { recursive: true, force: true })
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
