import { address } from '@solana/kit'
import * as generated from './program/generated/constants.ts'

export {
  CHECKPOINTS,
  CLOSE_DELAY_SECONDS,
  DEVELOPMENT_KEY,
  HOUR_SECONDS,
  MAX_DEPOSIT_SECONDS,
  MAX_LIFE_SECONDS,
  PROGRAM_BYTES,
  PROGRAM_SHA256,
  RECENT,
  REFUND_WINDOW_SECONDS,
  RESERVED_LEAVES,
  SKEW_SECONDS,
  TIME_GRID_SECONDS,
  TREE_LEAVES,
  TREE_LEVELS,
  VKEY_SHA256,
} from './program/generated/constants.ts'

/** Children of a node of the tree. */
export const TREE_ARITY = 4

/** Wrapped SOL's mint. Here it means native SOL, which is held as lamports. */
export const NATIVE_MINT = address(generated.NATIVE_MINT)
/** The program that owns mints of asset kind 2. Its accounts begin like those of the SPL Token program. */
export const TOKEN_2022_PROGRAM = address(generated.TOKEN_2022_PROGRAM)
export const ED25519_PROGRAM = address(generated.ED25519_PROGRAM)
export const UPGRADEABLE_LOADER = address(generated.UPGRADEABLE_LOADER)
/** Owner of every sysvar's account. */
export const SYSVAR_PROGRAM = address('Sysvar1111111111111111111111111111111111111')
export const INSTRUCTIONS_SYSVAR = address('Sysvar1nstructions1111111111111111111111111')

/** An owner who closes a balance leaves a random residue in the pool: at most the top-up divided by this number. */
export const RESIDUE_SHARE = 1_000n

/**
 * A payment waits while its time would point to its top-up. It is then made at a random moment within this many
 * seconds. The first of these moments follows from the deposit's public deadline, so a payment exactly then would point
 * to the deposit again. A short spread hides too little: at ten payments an hour, only about three are made in 20
 * minutes (docs/decisions/0067).
 */
export const WAIT_SPREAD_SECONDS = 21_600

/** Payments postpone the end of a balance by whole days, a multiple of the time grid: see `renewedDeadline`. */
export const RENEWAL_SECONDS = 86_400n
