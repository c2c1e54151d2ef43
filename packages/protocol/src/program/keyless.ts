import type { Address } from '@solana/kit'
import { UPGRADEABLE_LOADER } from '../constants.ts'

/** The owner of all sysvars. */
const SYSVARS = 'Sysvar1111111111111111111111111111111111111'

/**
 * Addresses that the runtime reserves. No transaction can change their balance, even if they have no account. Source:
 * the crate `agave-reserved-account-keys`, which lists native programs and sysvars.
 */
const RESERVED: ReadonlySet<string> = new Set([
  '11111111111111111111111111111111',
  'AddressLookupTab1e1111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  UPGRADEABLE_LOADER,
  'ComputeBudget111111111111111111111111111111',
  'Config1111111111111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'Feature111111111111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'NativeLoader1111111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
  'Stake11111111111111111111111111111111111111',
  'StakeConfig11111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'ZkE1Gama1Proof11111111111111111111111111111',
  'ZkTokenProof1111111111111111111111111111111',
  SYSVARS,
  'Sysvar1nstructions1111111111111111111111111',
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarEpochRewards1111111111111111111111111',
  'SysvarEpochSchedu1e111111111111111111111111',
  'SysvarFees111111111111111111111111111111111',
  'SysvarLastRestartS1ot1111111111111111111111',
  'SysvarRecentB1ockHashes11111111111111111111',
  'SysvarRent111111111111111111111111111111111',
  'SysvarRewards111111111111111111111111111111',
  'SysvarS1otHashes111111111111111111111111111',
  'SysvarS1otHistory11111111111111111111111111',
  'SysvarStakeHistory1111111111111111111111111',
])

/**
 * True for an address from which no key can pay: an address that the runtime reserves, a program, a sysvar, an account
 * of the upgradeable loader, or an account of the pool's program. Money that is paid to such an address is lost, or the
 * runtime refuses the payment. `account` is undefined if the address has no account.
 */
export function isKeyless(
  address: Address,
  account: { readonly owner: Address; readonly isExecutable: boolean } | undefined,
  program: Address,
): boolean {
  if (RESERVED.has(address)) return true
  const owners: readonly string[] = [program, UPGRADEABLE_LOADER, SYSVARS]
  return account !== undefined && (account.isExecutable || owners.includes(account.owner))
}
