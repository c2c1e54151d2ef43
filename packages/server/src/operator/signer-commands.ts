import { getTransferSolInstruction } from '@solana-program/system'
import { createNoopSigner } from '@solana/kit'
import {
  amount,
  LAMPORTS_PER_SIGNATURE,
  priorityLamports,
  unitPriceOf,
  type Address,
  type Amount,
} from '@sotto/protocol'
import { Option, type Command } from 'commander'
import type { Signer } from '../ports/signer.ts'
import { OperatorError } from '../start/operator-error.ts'
import type { OperatorContext, WithContext } from './context.ts'
import { parseAddressOption, parseAmountOption } from './pool/pool-options.ts'
import { openOperatorChain } from './pool/pool-transaction.ts'

/** The keys that the settings name, in files, Vault or KMS. A key is opened only when a command needs it. */
export interface SignerParts {
  readonly authoriser: () => Promise<Signer>
  readonly relayers: () => Promise<readonly Signer[]>
}

interface WithdrawOptions {
  readonly from: Address
  readonly to: Address
  readonly amount?: Amount
  readonly all?: boolean
}

/** Upper bound of the compute units of a withdrawal, which only transfers SOL and sets the priority fee. */
const UNITS_MAX = 400_000n

/** `authoriser show`, `relayer list | withdraw`: the signing keys that the settings name. */
export function registerSignerCommands(
  program: Command,
  withContext: WithContext,
  parts: SignerParts,
  out: OperatorContext['out'],
): void {
  program
    .command('authoriser')
    .description("The key that signs the service's orders.")
    .command('show')
    .description('Print the address of the key that SOTTO_AUTHORISER_KEY names. This asks no node.')
    .action(async () => out({ address: (await parts.authoriser()).address }))
  const relayer = program.command('relayer').description('The wallets that pay for settlements.')
  relayer
    .command('list')
    .description('Print the address and the lamports of each key that SOTTO_RELAYER_KEYS names.')
    .action(() => withContext((context) => listRelayers(context, parts)))
  relayer
    .command('withdraw')
    .description("Send a relayer's SOL to another wallet. The relayer signs, and pays the fee.")
    .requiredOption(
      '--from <address>',
      'a relayer that SOTTO_RELAYER_KEYS names',
      parseAddressOption,
    )
    .requiredOption('--to <address>', 'the wallet that gets the SOL', parseAddressOption)
    .addOption(
      new Option('--amount <lamports>', 'the amount to send')
        .argParser(parseAmountOption)
        .conflicts('all'),
    )
    .option(
      '--all',
      'everything, except the minimum that the cluster demands of a wallet and the highest fee that this ' +
        'transaction can cost',
    )
    .addHelpText(
      'after',
      "\nThe rent of a relayer's settlements returns to its wallet 61 days later: withdraw again before you destroy its key.",
    )
    .action((options: WithdrawOptions) =>
      withContext((context) => withdraw(context, parts, options)),
    )
}

async function listRelayers({ rpc, out }: OperatorContext, parts: SignerParts): Promise<void> {
  const relayers = await Promise.all(
    (await parts.relayers()).map(async ({ address }) => ({
      address,
      lamports: `${await lamportsOf(rpc, address)}`,
    })),
  )
  out({ relayers })
}

async function withdraw(
  context: OperatorContext,
  parts: SignerParts,
  { from, to, amount: given, all = false }: WithdrawOptions,
): Promise<void> {
  if (given === undefined && !all) throw new OperatorError('give either --amount or --all')
  if (from === to) throw new OperatorError('--to must be another wallet than --from')
  const signer = (await parts.relayers()).find(({ address }) => address === from)
  if (signer === undefined) {
    throw new OperatorError(
      `SOTTO_RELAYER_KEYS names no key of ${from}: \`sotto-server relayer list\` prints the relayers`,
    )
  }
  const { rpc, run } = openOperatorChain(context)
  const lamports = given ?? (await wholeOf(context, from))
  const transfer = getTransferSolInstruction({
    source: createNoopSigner(from),
    destination: to,
    amount: lamports,
  })
  const outcome = await run([signer], [transfer])
  const left = await lamportsOf(rpc, from)
  context.out({ ...outcome, from, to, withdrawn: `${lamports}`, left: `${left}` })
}

/** The most that a relayer can send, whatever priority fee the transaction offers in the end. */
async function wholeOf({ rpc, prices }: OperatorContext, from: Address): Promise<Amount> {
  const kept = await rpc.getMinimumBalanceForRentExemption(0n).send()
  const fee = LAMPORTS_PER_SIGNATURE + priorityLamports(unitPriceOf(prices.ceiling), UNITS_MAX)
  const lamports = (await lamportsOf(rpc, from)) - kept - fee
  if (lamports > 0n) return amount(lamports)
  throw new OperatorError(
    `the relayer ${from} has nothing to withdraw: it has at most the ${kept + fee} lamports that it needs for rent and fee`,
  )
}

async function lamportsOf(rpc: OperatorContext['rpc'], address: Address): Promise<bigint> {
  return (await rpc.getBalance(address, { commitment: 'confirmed' }).send()).value
}
