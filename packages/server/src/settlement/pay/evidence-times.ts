/**
 * Nodes need less time than this to index a block, and users can wait this long. If no node shows a settlement's
 * transaction within this time, by the chain's clock, an alert is raised, and an order may end without its signature.
 */
export const HISTORY_SECONDS = 120n
/**
 * Minimum time between two readings of a Nullifier, if one reading isn't enough: in a full tree, and if nodes show a
 * different settlement although the tree has the leaf of a payment. The time is counted by the followed clock, which no
 * single node can move ahead.
 */
export const READINGS_APART_SECONDS = 120n
