import { address } from '@solana/kit'

/** Longest time from authorisation to deadline that the program accepts, in seconds. */
export const MAX_DEPOSIT_SECONDS = 3_600n
/** Longest time from deadline to expiry that the program accepts, in seconds. */
export const MAX_DELIVERY_SECONDS = 86_400n
/** Time after expiry in which a refund can be proved, in seconds; fixed in the circuit. */
export const REFUND_WINDOW_SECONDS = 2_592_000n
/** How far a refund's public time may lie behind the chain's clock, in seconds. */
export const SKEW_SECONDS = 3_600n
/** Every public time is a multiple of this, in seconds, so that a time says little. */
export const TIME_GRID_SECONDS = 600n
/** An Order closes from its deadline plus this, in seconds. */
export const CLOSE_DELAY_SECONDS = 86_400n
/** Levels of the note tree: 2^26 leaves. */
export const TREE_DEPTH = 26
/** Recent roots the chain keeps, one for each leaf. */
export const ROOTS = 1_024
/** Hourly roots the chain keeps: 42 days, more than any note lives. */
export const CHECKPOINTS = 1_024
/** Seconds between checkpoint roots. */
export const CHECKPOINT_SECONDS = 3_600n

/** Wrapped SOL's mint; stands for native SOL, held as lamports. */
export const NATIVE_MINT = address('So11111111111111111111111111111111111111112')
export const ED25519_PROGRAM = address('Ed25519SigVerify111111111111111111111111111')
export const INSTRUCTIONS_SYSVAR = address('Sysvar1nstructions1111111111111111111111111')
export const UPGRADEABLE_LOADER = address('BPFLoaderUpgradeab1e11111111111111111111111')
