import { getCreateAccountWithSeedInstruction } from '@solana-program/system'
import {
  FIELD_MODULUS,
  fieldToBytes,
  bigintFromBytes,
  initializeInstruction,
  MAX_DEPOSIT_SECONDS,
  poolAddress,
  TREE_BYTES,
  type Address,
  type InitializeTerms,
  type PoolAccount,
} from '@sotto/protocol'
import { createAddressWithSeed, createNoopSigner } from '@solana/kit'
import type { Command } from 'commander'
import { systemRandom } from '../../adapters/random/system-random.ts'
import type { OperatorContext, WithContext } from '../context.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { addressOf, openParty, withUnsigned, type UnsignedOption } from '../asset/party.ts'
import { findPool } from './pool-account.ts'
import { collectAddresses, parseSecondsOption } from './pool-options.ts'
import { openOperatorChain } from './pool-transaction.ts'

interface Options extends UnsignedOption {
  readonly admin: string
  readonly payer: string
  readonly upgradeAuthority: string
  readonly authoriser: Address[]
  readonly maxDepositSeconds: number
}

export function registerPoolInit(pool: Command, withContext: WithContext): void {
  const command = pool
    .command('init')
    .description('Make the pool and its tree. The command can be repeated with the same settings.')
    .requiredOption(
      '--admin <keypair>',
      "the pool's admin, who need not sign: a keypair file or an address",
    )
    .requiredOption('--payer <keypair>', 'the wallet that pays fees and rent: a keypair file')
    .requiredOption('--upgrade-authority <keypair>', "the program's upgrade authority")
    .requiredOption(
      '--authoriser <address>',
      'a key that authorises deposits; the option may be given twice',
      collectAddresses,
    )
    .option(
      '--max-deposit-seconds <seconds>',
      'longest time from an order to its deadline',
      parseSecondsOption,
      parseSecondsOption(`${MAX_DEPOSIT_SECONDS}`),
    )
  withUnsigned(command).action((options: Options) =>
    withContext((context) => initPool(context, options)),
  )
}

async function initPool(context: OperatorContext, options: Options): Promise<void> {
  const { rpc, run } = openOperatorChain(context)
  const { program } = context
  const [first, second, ...more] = options.authoriser
  if (first === undefined || more.length > 0) throw new OperatorError('name one or two authorisers')
  if (first === second) throw new OperatorError('name two different authorisers, or only one')
  const wanted = {
    admin: await addressOf(options.admin),
    authorisers: second === undefined ? ([first] as const) : ([first, second] as const),
    maxDepositSeconds: options.maxDepositSeconds,
  }
  const existing = await findPool(rpc, program)
  if (existing !== undefined) {
    assertSame(existing, wanted)
    return context.out(await describe(program, existing, true))
  }
  const payer = await openParty(options.payer, options)
  const upgradeAuthority = await openParty(options.upgradeAuthority, options)
  const domain = randomDomain()
  const { tree, createTree } = await treeOf(context, payer.address)
  const at = {
    ...{ program, tree },
    payer: payer.address,
    upgradeAuthority: upgradeAuthority.address,
  }
  const initialize = await initializeInstruction(at, { ...wanted, domain })
  const { unsigned } = await run([payer, upgradeAuthority], [createTree, initialize])
  if (unsigned !== undefined) return context.out({ ...unsigned, tree })
  context.out(await describe(program, { tree, domain }, false))
}

/**
 * Draws a random element of the field, as the program requires. With 64 random bytes, all elements are practically
 * equally likely.
 */
function randomDomain(): Uint8Array {
  return fieldToBytes(bigintFromBytes(systemRandom.bytes(64)) % FIELD_MODULUS)
}

/**
 * A new address for the tree, derived from the payer and a random seed. Only the payer can create an account at this
 * address, so the account needs no separate key or signature.
 */
async function treeOf({ rpc, program }: OperatorContext, payer: Address) {
  const seed = Buffer.from(systemRandom.bytes(16)).toString('hex')
  const tree = await createAddressWithSeed({ baseAddress: payer, programAddress: program, seed })
  const createTree = getCreateAccountWithSeedInstruction({
    payer: createNoopSigner(payer),
    newAccount: tree,
    baseAccount: createNoopSigner(payer),
    base: payer,
    seed,
    amount: await rpc.getMinimumBalanceForRentExemption(BigInt(TREE_BYTES)).send(),
    space: TREE_BYTES,
    programAddress: program,
  })
  return { tree, createTree }
}

async function describe(
  program: Address,
  { tree, domain }: Pick<PoolAccount, 'tree' | 'domain'>,
  existed: boolean,
): Promise<object> {
  const pool = await poolAddress(program)
  return { pool, tree, domain: Buffer.from(domain).toString('hex'), existed }
}

/**
 * Checks that the existing pool has the wanted settings. Repeating the same set-up is harmless, but different settings
 * must not be ignored silently.
 */
function assertSame(existing: PoolAccount, wanted: Omit<InitializeTerms, 'domain'>): void {
  const set = existing.authorisers.slice(0, wanted.authorisers.length)
  const differing = [
    existing.admin === wanted.admin ? [] : ['admin'],
    set.every((key, index) => key === wanted.authorisers[index]) ? [] : ['authoriser'],
    existing.maxDepositSeconds === wanted.maxDepositSeconds ? [] : ['max-deposit-seconds'],
  ].flat()
  if (differing.length === 0) return
  throw new OperatorError(
    `the pool exists with another ${differing.join(', ')}: see its settings with \`sotto-server pool show\`, ` +
      'and change them with `pool config` or `pool rotate`',
  )
}
