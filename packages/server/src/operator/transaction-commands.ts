import {
  getBase58Decoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type SignatureBytes,
  type Transaction,
} from '@solana/kit'
import type { Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { readFileSigner } from '../adapters/signer/file-signer.ts'
import type { Address } from '@sotto/protocol'
import type { ChainRpc } from '../adapters/rpc/rpc-client.ts'
import type { OperatorContext, WithContext } from './context.ts'
import { lifetimeOf, nonceAccountOf, readNonce } from './durable-nonce.ts'
import { OperatorError } from '../start/operator-error.ts'
import { assertRotations } from './pool/assert-rotation.ts'
import { isConfirmed, land } from './pool/land.ts'
import { assertWouldLand, PROVEN_DEAD } from './pool/pool-transaction.ts'

/** `transaction sign | submit`: handles a transaction that a command printed with `--unsigned`. */
export function registerTransactionCommands(
  program: Command,
  withContext: WithContext,
  out: OperatorContext['out'],
): void {
  const transaction = program
    .command('transaction')
    .description('Transactions that a command printed with --unsigned.')
  transaction
    .command('sign')
    .description("Add a keypair's signature. This needs neither network nor settings.")
    .argument('<transaction>', GIVEN)
    .requiredOption('--keypair <keypair>', 'the keypair file that signs')
    .action(async (text: string, { keypair }: { keypair: string }) =>
      out(await sign(await read(text), keypair)),
    )
  transaction
    .command('submit')
    .description('Simulate a transaction, send it, and wait until it is confirmed.')
    .argument('<transaction>', `fully signed: ${GIVEN}`)
    .option(
      '--replace',
      'lets a rotation replace the key that its slot has now, or unset the only key, as the same option of `pool rotate` does',
    )
    .action((text: string, { replace = false }: SubmitOptions) =>
      withContext(async (context) => submit(context, await read(text), replace)),
    )
}

interface SubmitOptions {
  readonly replace?: boolean
}

const GIVEN = 'in base64, or a .json file with the --json output of a command'

/** Matches a file name. Base64 contains no dots, so a transaction in base64 never matches. */
const FILE = /\.json$/

async function read(given: string): Promise<Transaction> {
  if (!FILE.test(given)) return parse(given)
  try {
    const { transaction } = JSON.parse(await readFile(given, 'utf8')) as { transaction?: unknown }
    return parse(String(transaction))
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause
    throw new OperatorError(`${given} does not contain the output of a command with --json`, {
      cause,
    })
  }
}

function parse(text: string): Transaction {
  try {
    return getTransactionDecoder().decode(Buffer.from(text, 'base64'))
  } catch (cause) {
    throw new OperatorError('this is not a transaction in base64', { cause })
  }
}

const missing = ({ signatures }: Transaction): string[] =>
  Object.entries(signatures).flatMap(([address, signature]) => (signature === null ? address : []))

async function sign(transaction: Transaction, keypair: string): Promise<object> {
  const signer = await readFileSigner(keypair)
  if (!(signer.address in transaction.signatures)) {
    throw new OperatorError(`the transaction doesn't need a signature of ${signer.address}`)
  }
  const signature = await signer.sign(new Uint8Array(transaction.messageBytes))
  const signatures = { ...transaction.signatures, [signer.address]: signature as SignatureBytes }
  const signed = { ...transaction, signatures }
  const wire = Buffer.from(getTransactionEncoder().encode(signed))
  return { transaction: wire.toString('base64'), missing: missing(signed) }
}

async function submit(
  context: OperatorContext,
  transaction: Transaction,
  mayReplace: boolean,
): Promise<void> {
  const lacking = missing(transaction)
  if (lacking.length > 0) {
    throw new OperatorError(`signatures are missing: ${lacking.join(', ')}`)
  }
  const { rpc } = context
  const [first] = Object.values(transaction.signatures)
  const signature = getBase58Decoder().decode(first as SignatureBytes)
  // The transaction may have landed in an earlier run of the command, or others may have sent it.
  if (await isConfirmed(rpc, signature)) return context.out({ signature })
  const nonceAccount = nonceAccountOf(transaction)
  const nonceSlot =
    nonceAccount === undefined || nonceAccount === 'unknown'
      ? undefined
      : await assertUnused(rpc, nonceAccount, lifetimeOf(transaction))
  const wire = new Uint8Array(getTransactionEncoder().encode(transaction))
  await assertWouldLand(rpc, wire)
  await assertRotations(context, transaction, mayReplace)
  // The transaction's blockhash can't be newer than the newest blockhash. So the last valid height of the newest
  // blockhash is an upper bound of the transaction's last valid height.
  const { value } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  const { lastValidBlockHeight } = value
  const sent = { signature, wire, lastValidBlockHeight, ...(nonceSlot && { nonceSlot }) }
  if (!(await land(context, sent))) {
    throw new OperatorError(
      `${PROVEN_DEAD}; print it again with --unsigned, and sign and submit the new transaction`,
    )
  }
  context.out({ signature })
}

/**
 * Checks that a nonce wasn't used, because a transaction with a used nonce can never land. Returns a slot at which the
 * nonce was unused.
 *
 * @throws OperatorError if the nonce was used.
 */
async function assertUnused(rpc: ChainRpc, account: Address, value: string): Promise<bigint> {
  const read = await readNonce(rpc, account)
  if (read.value === value) return read.slot
  throw new OperatorError(
    'the nonce was used, by this transaction or by another one: check the chain, and print the transaction again if it is needed',
  )
}
