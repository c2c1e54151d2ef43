/**
 * The leaf index in an Order account; undefined if the account doesn't exist. `unconfirmed`: of several nodes, only one
 * answered, and this node shows no such account.
 */
export type DepositIndex = number | 'unconfirmed' | undefined
export type ReadDepositIndexes = (
  ids: readonly Uint8Array[],
  slotMin: bigint,
  /** True if the order at this place of `ids` may have this index. */
  isOwn?: (place: number, index: number) => boolean,
) => Promise<DepositIndex[]>
