/**
 * Nodes index a block within this time, and users can wait this long. If no node shows a settlement's transaction
 * within this time, by the chain's clock, an alert is raised. Then the order may end without the settlement's
 * signature.
 */
export const HISTORY_SECONDS = 120n
/**
 * Minimum time between two readings of a Nullifier. One reading isn't enough for a refund in a full tree, or for a
 * payment whose leaf is in the tree although nodes show another settlement. The time is measured by the followed clock,
 * because no single node can move it ahead.
 */
export const READINGS_APART_SECONDS = 120n
