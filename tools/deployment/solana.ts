// Replaces the Solana CLI in `npm run deployment-test` on machines without that CLI. It sends the loader's own
// instructions. It supports only the options that the deployment guide uses. If the guide uses another option, the test
// fails.
import {
  getCreateAccountInstruction,
  getInitializeNonceAccountInstruction,
  getTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system'
import { isAddress, readDecimal, showDecimal, type Address } from '@sotto/protocol'
import { Command } from 'commander'
import { access, readFile } from 'node:fs/promises'
import { Chain } from '../../demo/src/chain.ts'
import { keypairFile } from '../../demo/src/stack/keypair-file.ts'
import {
  buffersOf,
  closeBuffer,
  deployBuffer,
  setAuthority,
  upgradeTo,
  writeBuffer,
  type Parties,
} from './loader.ts'

const POLL_MS = 400
const PLACES = 9
const NONCE_BYTES = 80

interface Options {
  readonly url: string
  readonly keypair: string
  readonly upgradeAuthority?: string
  readonly bufferAuthority?: string
  readonly programId?: string
  readonly newUpgradeAuthority?: string
  readonly nonceAuthority?: string
  readonly final?: boolean
  readonly buffers?: boolean
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Reads a keypair file. If the file is missing, the command fails instead of creating a new keypair. */
async function signerOf(file: string) {
  await access(file)
  return keypairFile(file)
}

async function partiesOf(options: Options): Promise<Parties> {
  const payer = await signerOf(options.keypair)
  const named = options.upgradeAuthority ?? options.bufferAuthority
  const other = named === undefined ? payer : await signerOf(named)
  // A transaction accepts only one signer object for each address.
  const authority = other.address === payer.address ? payer : other
  return { chain: new Chain(options.url, POLL_MS), payer, authority }
}

async function deploy(file: string, options: Options): Promise<void> {
  const parties = await partiesOf(options)
  const code = await readFile(file)
  const named = options.programId ?? ''
  const buffer = await writeBuffer(parties, code)
  if (isAddress(named)) await upgradeTo(parties, named, buffer)
  else await deployBuffer(parties, await signerOf(named), buffer, code.length)
  say(`Program Id: ${isAddress(named) ? named : (await signerOf(named)).address}`)
}

async function show(options: Options): Promise<void> {
  const { chain, authority } = await partiesOf(options)
  for (const { buffer, lamports: held } of await buffersOf(chain, authority.address)) {
    say(`${buffer}  ${authority.address}  ${showDecimal(held, PLACES)} SOL`)
  }
}

async function close(options: Options): Promise<void> {
  const parties = await partiesOf(options)
  for (const { buffer, lamports: held } of await buffersOf(
    parties.chain,
    parties.authority.address,
  )) {
    await closeBuffer(parties, buffer)
    say(`${buffer}  ${parties.authority.address}  ${showDecimal(held, PLACES)} SOL`)
  }
}

async function handOver(program: string, options: Options): Promise<void> {
  const next = options.newUpgradeAuthority
  if ((next === undefined) !== (options.final === true))
    throw new Error('name either a new authority or --final')
  await setAuthority(await partiesOf(options), program as Address, next as Address | undefined)
  say(`Account Type: Program\nAuthority: ${next ?? 'none'}`)
}

async function transfer(recipient: string, amount: string, options: Options): Promise<void> {
  const { chain, payer: source } = await partiesOf(options)
  const units = readDecimal(amount, PLACES)
  if (units.kind !== 'amount') throw new Error(`${amount} is not an amount of SOL`)
  const destination = recipient as Address
  await chain.send(source, [
    getTransferSolInstruction({ source, destination, amount: units.amount }),
  ])
  say('Signature: confirmed')
}

async function createNonce(file: string, amount: string, options: Options): Promise<void> {
  const { chain, payer } = await partiesOf(options)
  const newAccount = await signerOf(file)
  const held = readDecimal(amount, PLACES)
  if (held.kind !== 'amount') throw new Error(`${amount} is not an amount of SOL`)
  const nonceAuthority = options.nonceAuthority as Address
  const account = { payer, newAccount, lamports: held.amount, space: NONCE_BYTES }
  await chain.send(payer, [
    getCreateAccountInstruction({ ...account, programAddress: SYSTEM_PROGRAM_ADDRESS }),
    getInitializeNonceAccountInstruction({ nonceAccount: newAccount.address, nonceAuthority }),
  ])
  say('Signature: confirmed')
}

const solana = new Command('solana').version('solana-cli 4.2.2 (stand-in)')
const common = (command: Command): Command =>
  command.requiredOption('--url <url>').requiredOption('--keypair <file>')
const program = solana.command('program')
common(program.command('deploy').argument('<file>'))
  .requiredOption('--program-id <keypair>')
  .requiredOption('--upgrade-authority <keypair>')
  .action(deploy)
common(program.command('write-buffer').argument('<file>'))
  .option('--buffer-authority <keypair>')
  .action(async (file: string, options: Options) =>
    say(`Buffer: ${await writeBuffer(await partiesOf(options), await readFile(file))}`),
  )
common(program.command('show')).requiredOption('--buffers').action(show)
common(program.command('close')).requiredOption('--buffers').action(close)
common(program.command('set-upgrade-authority').argument('<program>'))
  .requiredOption('--upgrade-authority <keypair>')
  .option('--new-upgrade-authority <address>')
  .option('--skip-new-upgrade-authority-signer-check')
  .option('--final')
  .action(handOver)
common(solana.command('transfer').argument('<recipient>').argument('<amount>'))
  .option('--allow-unfunded-recipient')
  .action(transfer)
common(solana.command('create-nonce-account').argument('<keypair>').argument('<amount>'))
  .requiredOption('--nonce-authority <address>')
  .action(createNonce)
await solana.parseAsync()
