import { address, type Address, type ReadonlyUint8Array } from '@solana/kit'

/** A feature of the cluster's runtime that the program requires. */
export interface RequiredFeature {
  /** Address of the feature's account, which shows whether the feature is active. */
  readonly address: Address
  /** The feature's name in the validator's source. */
  readonly name: string
  /** The operation that would fail without the feature. */
  readonly neededFor: string
}

/**
 * The features that a cluster must have activated so that the committed program (program/artefacts) can load and run.
 * `program/tests/cluster-features.long.test.ts` finds this list by switching off one feature after another.
 */
export const REQUIRED_FEATURES: readonly RequiredFeature[] = [
  {
    address: address('5cC3foj77CWun58pC51ebHFUWavHWKarWyR5UUik7dnC'),
    name: 'enable_sbpf_v3_deployment_and_execution',
    neededFor: 'loading the program, because its code is sBPF version 3',
  },
  {
    address: address('CLCoTADvV64PSrnR6QXty6Fwrt9Xc6EdxSJE4wLRePjq'),
    name: 'get_sysvar_syscall_enabled',
    neededFor: 'deposits and settlements, because of the syscall sol_get_sysvar',
  },
  {
    address: address('FL9RsQA6TVUoh5xJQ9d936RHSebA1NLQqe3Zv9sXZRpr'),
    name: 'enable_poseidon_syscall',
    neededFor: 'deposits and settlements, because of the syscall sol_poseidon',
  },
  {
    address: address('A16q37opZdQMCbe5qJ6xpBB9usykfv8jZaMkxvZQi4GJ'),
    name: 'enable_alt_bn128_syscall',
    neededFor: 'settlements, because of the syscall sol_alt_bn128_group_op',
  },
]

/** Owner of every feature's account. */
export const FEATURE_PROGRAM = address('Feature111111111111111111111111111111111111')

/** First byte of an active feature's account. The slot of the activation follows it (solana-feature-gate-interface). */
const ACTIVE = 1

/** True if a feature's account shows that the feature is active. A feature that was never requested has no account. */
export function isFeatureActive(
  account: { readonly owner: Address; readonly data: ReadonlyUint8Array } | undefined,
): boolean {
  return account?.owner === FEATURE_PROGRAM && account.data[0] === ACTIVE
}
