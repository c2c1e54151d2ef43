/** Number of blocks for which a blockhash is valid. */
const VALID_BLOCKS = 150n
/** Number of blocks by which two answers for the same time may differ, for example because two nodes gave them. */
const APART_BLOCKS = 50n

/**
 * The last height at which a transaction can land. `shown` is the last height that a node showed with the transaction's
 * blockhash. `height` is the chain's height, which another answer showed at the same time. No blockhash is valid for
 * more than `VALID_BLOCKS`. So if an answer shows a last height that is too high, the transaction still counts as dead
 * soon after it is dead.
 */
export function lastHeight(shown: bigint, height: bigint): bigint {
  const greatest = height + VALID_BLOCKS + APART_BLOCKS
  return shown < greatest ? shown : greatest
}
