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

/** Number of children of a tree node. */
export const TREE_ARITY = 4

/** The mint of wrapped SOL. In this protocol, this address means native SOL, which is held as lamports. */
export const NATIVE_MINT = address(generated.NATIVE_MINT)
/**
 * The program that owns mints of asset kind 2. Its accounts begin with the same fields as the accounts of the SPL Token
 * program.
 */
export const TOKEN_2022_PROGRAM = address(generated.TOKEN_2022_PROGRAM)
export const ED25519_PROGRAM = address(generated.ED25519_PROGRAM)
export const UPGRADEABLE_LOADER = address(generated.UPGRADEABLE_LOADER)
/** Owner of every sysvar's account. */
export const SYSVAR_PROGRAM = address('Sysvar1111111111111111111111111111111111111')
/** The account that shows the chain's clock. */
export const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111')
export const INSTRUCTIONS_SYSVAR = address('Sysvar1nstructions1111111111111111111111111')

/** When an owner closes a balance, a random residue stays in the pool: at most the top-up divided by this number. */
export const RESIDUE_SHARE = 1_000n

/**
 * Length of the interval from which a waiting payment's time is chosen at random. A payment waits if its time would
 * reveal which top-up it came from. Anyone can compute the interval's start from the deposit's public deadline, so a
 * payment exactly at the start would reveal the top-up too. A shorter interval hides too little: at ten payments an
 * hour, only about three payments are made in 20 minutes (docs/decisions/0067).
 */
export const WAIT_SPREAD_SECONDS = 21_600

/**
 * If a payment postpones the deadline of its balance, the new deadline is a multiple of this time. So the new deadline
 * is also a multiple of `TIME_GRID_SECONDS`, as every deadline must be. See `renewedDeadline`.
 */
export const RENEWAL_SECONDS = 86_400n
