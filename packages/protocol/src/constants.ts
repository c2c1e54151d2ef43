import { address } from '@solana/kit'
import * as generated from './program/generated/constants.ts'

export {
  CHECKPOINTS,
  CLOSE_DELAY_SECONDS,
  DEVELOPMENT_KEY,
  MAX_DELIVERY_SECONDS,
  MAX_DEPOSIT_SECONDS,
  PROGRAM_BYTES,
  PROGRAM_SHA256,
  REFUND_WINDOW_SECONDS,
  ROOTS,
  SKEW_SECONDS,
  TIME_GRID_SECONDS,
  TREE_DEPTH,
  VKEY_SHA256,
} from './program/generated/constants.ts'

/** Wrapped SOL's mint; stands for native SOL, held as lamports. */
export const NATIVE_MINT = address(generated.NATIVE_MINT)
/** Keeps mints of asset kind 2; its accounts begin like the SPL Token program's. */
export const TOKEN_2022_PROGRAM = address(generated.TOKEN_2022_PROGRAM)
export const ED25519_PROGRAM = address(generated.ED25519_PROGRAM)
export const UPGRADEABLE_LOADER = address(generated.UPGRADEABLE_LOADER)
/** Owner of every sysvar's account. */
export const SYSVAR_PROGRAM = address('Sysvar1111111111111111111111111111111111111')
export const INSTRUCTIONS_SYSVAR = address('Sysvar1nstructions1111111111111111111111111')
