import { rotateAuthoriserInstruction, type Address } from '@sotto/protocol'
import type { Command } from 'commander'
import type { OperatorContext, WithContext } from '../context.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { openParty, withUnsigned, type UnsignedOption } from '../asset/party.ts'
import { parseAddressOption, parseSlotOption } from './pool-options.ts'
import { readPool, UNSET_AUTHORISER } from './pool-account.ts'
import { openOperatorChain } from './pool-transaction.ts'

interface Options extends UnsignedOption {
  readonly admin: string
  readonly slot: 0 | 1
  readonly authoriser?: Address
  readonly unset?: boolean
  readonly replace?: boolean
}

export function registerPoolRotate(pool: Command, withContext: WithContext): void {
  const command = pool
    .command('rotate')
    .description(
      'Set or unset one of the two authoriser keys. To change a key, set the new key in the free slot and let ' +
        'the service use it. Then wait until every order that the old key authorised has passed its ' +
        'deadline, and unset the slot of the old key.',
    )
    .requiredOption('--admin <keypair>', "the pool's admin: a keypair file")
    .requiredOption('--slot <0|1>', 'which of the two slots', parseSlotOption)
    .option('--authoriser <address>', 'the key to set', parseAddressOption)
    .option('--unset', 'unsets the slot; deposits that its key authorised can no longer land')
    .option(
      '--replace',
      'with --authoriser: replaces the key that the slot has now; deposits that the old key authorised can no longer land',
    )
  withUnsigned(command).action((options: Options) =>
    withContext((context) => rotate(context, options)),
  )
}

async function rotate(context: OperatorContext, options: Options): Promise<void> {
  const { slot, authoriser, unset = false, replace = false } = options
  if ((authoriser === undefined) !== unset) {
    throw new OperatorError('give either --authoriser or --unset')
  }
  if (unset && replace) throw new OperatorError('--replace needs --authoriser')
  if (authoriser !== undefined && !replace) await assertFree(context, slot, authoriser)
  const admin = await openParty(options.admin, options)
  const at = { program: context.program, admin: admin.address }
  const rotation = authoriser === undefined ? { slot } : { slot, key: authoriser }
  const { run } = openOperatorChain(context)
  const outcome = await run([admin], [await rotateAuthoriserInstruction(at, rotation)])
  context.out(
    outcome.unsigned ?? { signature: outcome.signature, slot, authoriser: authoriser ?? null },
  )
}

/**
 * Checks that the slot is free or already has this key. Without this check, a wrong slot number would invalidate all
 * orders that the service has signed. The service would then go on signing with a key that the program refuses.
 */
async function assertFree(
  { rpc, program }: OperatorContext,
  slot: 0 | 1,
  authoriser: Address,
): Promise<void> {
  const { authorisers } = await readPool(rpc, program)
  const present = authorisers[slot]
  if (present === undefined || present === UNSET_AUTHORISER || present === authoriser) return
  throw new OperatorError(
    `slot ${slot} has the key ${present}. If this key is replaced, no deposit that it authorised can land any more: ` +
      `set the other slot if that slot is free, or unset slot ${slot} first; --replace replaces the key at once`,
  )
}
