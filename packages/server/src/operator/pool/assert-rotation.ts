import { decodeRotation, type Address, type Rotation } from '@sotto/protocol'
import { getCompiledTransactionMessageDecoder, type Transaction } from '@solana/kit'
import type { OperatorContext } from '../context.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { readPool, UNSET_AUTHORISER } from './pool-account.ts'

type ChainContext = Pick<OperatorContext, 'rpc' | 'program'>

/**
 * Checks that the other slot doesn't have the key, and that the slot is free or already has the key. If the slot is to
 * be unset, checks that the other slot has a key. If `mayReplace` is true, the slot may have another key, and the pool's
 * only key may be unset.
 *
 * One key must not be in both slots, because the program would accept the key even after one slot is unset or replaced.
 * Without the check of the slot, a wrong slot number would invalidate all orders that the service has signed. The
 * service would then go on signing with a key that the program refuses. Without a key, no deposit can land, not even of
 * orders that users have already signed.
 *
 * @throws OperatorError.
 */
export async function assertRotation(
  { rpc, program }: ChainContext,
  { slot, key }: Rotation,
  mayReplace: boolean,
): Promise<void> {
  const { authorisers } = await readPool(rpc, program)
  const present = keyOf(authorisers[slot])
  if (key === undefined) {
    if (mayReplace || present === undefined || keyOf(authorisers[1 - slot]) !== undefined) return
    throw new OperatorError(
      `slot ${slot} has the pool’s only key ${present}. Without it, no deposit can land, not even of orders that are signed: ` +
        `set a new key in slot ${1 - slot} first and let the service use it; --replace unsets the only key at once`,
    )
  }
  if (authorisers[1 - slot] === key) {
    throw new OperatorError(
      `slot ${1 - slot} has the key ${key} already, and one key must not be in both slots: ` +
        'unsetting one slot would not remove the key. Give another key, or unset the other slot first',
    )
  }
  if (mayReplace || present === undefined || present === key) return
  throw new OperatorError(
    `slot ${slot} has the key ${present}. If this key is replaced, no deposit that it authorised can land any more: ` +
      `set the other slot if that slot is free, or unset slot ${slot} first; --replace replaces the key at once`,
  )
}

/** The key of a slot; undefined for an unused slot. */
const keyOf = (shown: Address | undefined): Address | undefined =>
  shown === UNSET_AUTHORISER ? undefined : shown

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
