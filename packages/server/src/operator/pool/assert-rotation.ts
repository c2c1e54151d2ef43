import { decodeRotation, type Rotation } from '@sotto/protocol'
import { getCompiledTransactionMessageDecoder, type Transaction } from '@solana/kit'
import type { OperatorContext } from '../context.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { readPool, UNSET_AUTHORISER } from './pool-account.ts'

type ChainContext = Pick<OperatorContext, 'rpc' | 'program'>

/**
 * Checks that the other slot doesn't have the key, and that the slot is free or already has the key. If `mayReplace` is
 * true, the slot may have another key.
 *
 * One key must not be in both slots, because the program would accept the key even after one slot is unset or replaced.
 * Without the check of the slot, a wrong slot number would invalidate all orders that the service has signed. The
 * service would then go on signing with a key that the program refuses.
 *
 * @throws OperatorError.
 */
export async function assertRotation(
  { rpc, program }: ChainContext,
  { slot, key }: Rotation,
  mayReplace: boolean,
): Promise<void> {
  if (key === undefined) return
  const { authorisers } = await readPool(rpc, program)
  if (authorisers[1 - slot] === key) {
    throw new OperatorError(
      `slot ${1 - slot} has the key ${key} already, and one key must not be in both slots: ` +
        'unsetting one slot would not remove the key. Give another key, or unset the other slot first',
    )
  }
  const present = authorisers[slot]
  if (mayReplace || present === undefined || present === UNSET_AUTHORISER || present === key) return
  throw new OperatorError(
    `slot ${slot} has the key ${present}. If this key is replaced, no deposit that it authorised can land any more: ` +
      `set the other slot if that slot is free, or unset slot ${slot} first; --replace replaces the key at once`,
  )
}

/**
 * Repeats the check of `assertRotation` for every rotation of a transaction, because the slots may have changed since
 * the transaction was made.
 *
 * @throws OperatorError.
 */
export async function assertRotations(
  context: ChainContext,
  { messageBytes }: Transaction,
  mayReplace: boolean,
): Promise<void> {
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  // The service makes no messages of other versions, so their instructions aren't parsed.
  if (!('instructions' in message)) return
  for (const { programAddressIndex, data } of message.instructions) {
    if (message.staticAccounts[programAddressIndex] !== context.program) continue
    const rotation = decodeRotation(data ?? new Uint8Array())
    if (rotation !== undefined) await assertRotation(context, rotation, mayReplace)
  }
}
