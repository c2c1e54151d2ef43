/**
 * Nodes need less time than this to index a block, and users can wait this long. If no node shows a settlement's
 * transaction within this time, by the chain's clock, an alert is raised, and the order may end without the
 * settlement's signature.
 */
export const HISTORY_SECONDS = 120n
/**
 * Minimum time between two readings of a Nullifier, if one reading isn't enough: for a refund in a full tree, and for a
 * payment whose leaf is in the tree although nodes show a different settlement. The time is counted by the followed
 * clock, which no single node can move ahead.
 */
export const READINGS_APART_SECONDS = 120n
