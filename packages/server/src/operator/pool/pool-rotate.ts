import { rotateAuthoriserInstruction, type Address } from '@sotto/protocol'
import type { Command } from 'commander'
import type { OperatorContext, WithContext } from '../context.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { openParty, withUnsigned, type UnsignedOption } from '../asset/party.ts'
import { assertRotation } from './assert-rotation.ts'
import { parseAddressOption, parseSlotOption } from './pool-options.ts'
import { readPool, shownAuthorisers } from './pool-account.ts'
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
        'deadline, and unset the slot of the old key. One key can only be in one slot.',
    )
    .requiredOption('--admin <keypair>', "the pool's admin: a keypair file")
    .requiredOption('--slot <0|1>', 'which of the two slots', parseSlotOption)
    .option('--authoriser <address>', 'the key to set', parseAddressOption)
    .option('--unset', 'unsets the slot; deposits that its key authorised can no longer land')
    .option(
      '--replace',
      'replaces the key that the slot has now, or unsets the only key of the pool; deposits that the old key authorised can no longer land',
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
  const admin = await openParty(options.admin, options)
  const at = { program: context.program, admin: admin.address }
  const rotation = authoriser === undefined ? { slot } : { slot, key: authoriser }
  const { rpc, run } = openOperatorChain(context)
  const outcome = await run([admin], async () => {
    await assertRotation(context, rotation, replace)
    return [await rotateAuthoriserInstruction(at, rotation)]
  })
  if (outcome.unsigned !== undefined) return context.out(outcome.unsigned)
  context.out({
    ...{ signature: outcome.signature, slot, authoriser: authoriser ?? null },
    authorisers: shownAuthorisers(await readPool(rpc, context.program)),
  })
}
