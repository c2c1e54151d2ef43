// `npm run kit-range`: installs the published SDK with the oldest and the newest @solana/kit that it accepts. With each
// version, it compiles a partner's program and makes a payment on a local chain. It also checks that npm refuses an
// older version of kit. It downloads kit from the registry. It ends with "N passed, N failed".
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { silence } from '../../demo/src/progress.ts'
import { openLocalStack, type LocalStack } from '../../demo/src/stack/local-stack.ts'
import { testWallet } from '../../demo/src/stack/test-wallet.ts'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'
import { OLDEST_KIT } from '../../tools/sdk-package/manifest.ts'

const run = promisify(execFile)
const TOO_OLD = '2.3.0'
const COMPILER = path.join(repositoryRoot, 'node_modules/typescript/bin/tsc')
const COMPILED = path.join(repositoryRoot, 'packages/sdk/tests/typed-use.ts')

const PAY = `
import { createKeyPairSignerFromBytes, createSolanaRpc, generateKeyPairSigner } from '@solana/kit'
import { askedFor, createSottoClient, memoryTickets, PROGRAM_SHA256, transfer } from '@sotto/sdk'
import { readFile } from 'node:fs/promises'
const { SOTTO_URL: baseUrl, SOTTO_API_KEY: apiKey, SOTTO_RPC_URL, SOTTO_PROGRAM_ID, SOTTO_KEYPAIR } = process.env
const rpc = createSolanaRpc(SOTTO_RPC_URL)
const keypair = JSON.parse(await readFile(SOTTO_KEYPAIR, 'utf8'))
const signer = await createKeyPairSignerFromBytes(new Uint8Array(keypair))
const { address: recipientAddress } = await generateKeyPairSigner()
const sol = 'So11111111111111111111111111111111111111112'
const { outcome } = await transfer({
  state: askedFor({
    ...{ amount: '1000000000', sourceAssetId: sol, destinationAssetId: sol, recipientAddress },
    ...{ senderAddress: signer.address, minDelaySeconds: 1, maxDelaySeconds: 2 },
  }),
  ...{ service: createSottoClient({ baseUrl, apiKey }), rpc, programId: SOTTO_PROGRAM_ID, signer },
  ...{ acceptedPrograms: [PROGRAM_SHA256], isLocalChain: true },
  ...{ save: async () => {}, approve: () => true, tickets: memoryTickets() },
})
const { value } = await rpc.getBalance(recipientAddress, { commitment: 'confirmed' }).send()
console.log(outcome, value)
`

const COMPILER_OPTIONS = {
  ...{ noEmit: true, strict: true, module: 'nodenext', target: 'es2023', types: [] },
  ...{ lib: ['es2023', 'dom'], exactOptionalPropertyTypes: true },
}

const folder = await mkdtemp(path.join(tmpdir(), 'sotto-kit-range-'))
let passed = 0
let failed = 0

async function check(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
    console.log(`ok  ${name}`)
    passed += 1
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    console.log(`FAIL  ${name}: ${error instanceof Error ? error.message : ''}\n${stdout}${stderr}`)
    failed += 1
  }
}

async function packSdk(): Promise<string> {
  const built = path.join(folder, 'built')
  const build = ['--import', 'tsx', 'tools/sdk-package/main.ts', built]
  await run(process.execPath, build, { cwd: repositoryRoot })
  await run('npm', ['pack', built, '--pack-destination', folder], { cwd: folder })
  const name = (await readdir(folder)).find((one) => one.endsWith('.tgz'))
  if (name === undefined) throw new Error('npm pack wrote no file')
  return path.join(folder, name)
}

/** Creates a project with the SDK and this version of kit; returns the installed version. */
async function install(project: string, tarball: string, kit: string): Promise<string> {
  await mkdir(project)
  await writeFile(path.join(project, 'package.json'), '{ "type": "module", "private": true }')
  // Sets the log level, because one check reads npm's error. Without the option, npm would inherit the level of `npm
  // run --silent`.
  const quiet = ['--no-audit', '--no-fund', '--loglevel', 'error']
  await run('npm', ['install', ...quiet, tarball, `@solana/kit@${kit}`], { cwd: project })
  const manifest = await readFile(
    path.join(project, 'node_modules/@solana/kit/package.json'),
    'utf8',
  )
  return (JSON.parse(manifest) as { version: string }).version
}

/** Compiles a partner's program. Errors in other packages' types are ignored. */
async function compile(project: string): Promise<void> {
  await copyFile(COMPILED, path.join(project, 'typed-use.ts'))
  const config = { compilerOptions: COMPILER_OPTIONS, files: ['typed-use.ts'] }
  await writeFile(path.join(project, 'tsconfig.json'), JSON.stringify(config))
  const said = await run(process.execPath, [COMPILER, '-p', '.'], { cwd: project }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
  const ours = said.split('\n').filter((line) => /^(typed-use|node_modules\/@sotto\/)/.test(line))
  if (ours.length > 0) throw new Error(ours.join('\n'))
}

async function pay(project: string, stack: LocalStack): Promise<void> {
  const { file } = await testWallet(folder, stack, stack.setup.usdc)
  const env = {
    ...process.env,
    ...{ SOTTO_URL: stack.baseUrl, SOTTO_API_KEY: stack.setup.apiKey, SOTTO_KEYPAIR: file },
    ...{ SOTTO_RPC_URL: stack.rpcUrl, SOTTO_PROGRAM_ID: stack.program },
  }
  await writeFile(path.join(project, 'pay.js'), PAY)
  const { stdout } = await run(process.execPath, ['pay.js'], { cwd: project, env })
  if (stdout.trim() !== 'delivered 997900000n') throw new Error(`the program printed ${stdout}`)
}

async function refuseTooOld(tarball: string): Promise<void> {
  const said = await install(path.join(folder, 'too-old'), tarball, TOO_OLD).then(
    () => `npm installed kit ${TOO_OLD}`,
    ({ stderr }: { stderr: string }) => stderr,
  )
  const needed = said.includes(`peer @solana/kit@">=${OLDEST_KIT}`)
  if (!needed || !said.includes(`@solana/kit@${TOO_OLD}`)) throw new Error(said)
}

try {
  const tarball = await packSdk()
  const ports = { apiPort: 0, rpcPort: 0 }
  const stack = await openLocalStack({
    folder: path.join(folder, 'stack'),
    ...ports,
    progress: silence,
  })
  for (const kit of [OLDEST_KIT, `>=${OLDEST_KIT}`]) {
    const project = path.join(folder, `kit-${passed + failed}`)
    let version = kit
    await check(`kit ${kit} is installed beside the SDK`, async () => {
      version = await install(project, tarball, kit)
    })
    await check(`a partner's program compiles with kit ${version}`, () => compile(project))
    await check(`a transfer is paid and verified with kit ${version}`, () => pay(project, stack))
  }
  await check(`npm refuses kit ${TOO_OLD} and names the required version`, () =>
    refuseTooOld(tarball),
  )
  await stack.close()
} finally {
  await rm(folder, { recursive: true, force: true })
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
