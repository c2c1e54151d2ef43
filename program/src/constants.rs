//! The numbers of `docs/protocol.md`. The comment above each gives its purpose.
//! `generate-client.ts` copies them to TypeScript.

use pinocchio::Address;

/// Longest time from a deposit to its deadline, and from a payment to its change's deadline. The
/// circuit has the same number. A Nullifier's life includes it.
pub const MAX_DEPOSIT_SECONDS: u32 = 3_600;

/// Longest time from a note's deadline to its expiry: 30 days and an hour. The circuit has the same
/// number. A Nullifier's life includes it.
pub const MAX_LIFE_SECONDS: u32 = 2_595_600;

/// Time after the expiry in which a refund can be proved. The circuit has the same number.
pub const REFUND_WINDOW_SECONDS: u32 = 2_592_000;

/// A refund's time may be this much before the chain's clock, and any other settlement's time this much after the
/// clock. This tolerance must exceed the grid plus the time to prove and land. A Nullifier's life includes it.
pub const SKEW_SECONDS: u32 = 3_600;

/// Deadlines and the times of settlements are multiples of this, so that a time reveals less about its note.
pub const TIME_GRID_SECONDS: u32 = 600;

/// An Order may be closed this long after its deadline. A Nullifier's life includes it as a margin.
pub const CLOSE_DELAY_SECONDS: u32 = 86_400;

/// Levels of the tree, with four children a node.
pub const TREE_LEVELS: usize = 13;

/// Number of leaves that the tree has room for.
pub const TREE_LEAVES: u32 = 67_108_864;

/// Number of leaves at the tree's end that take no deposits, so that every note can still be settled.
pub const RESERVED_LEAVES: u32 = 1_048_576;

/// Number of newest leaves that the Tree keeps, with the root after each.
pub const RECENT: usize = 1_024;

/// Number of hourly roots that the Tree keeps. They cover 64 days. No note can be settled for longer.
pub const CHECKPOINTS: usize = 1_536;

/// Seconds in an hour, the time between two checkpoints.
pub const HOUR_SECONDS: u32 = 3_600;

/// The mint value that means native SOL; no token account is involved.
pub const NATIVE_MINT: Address =
    Address::from_str_const("So11111111111111111111111111111111111111112");

/// The System program.
pub const SYSTEM_PROGRAM: Address = Address::new_from_array([0; 32]);

/// The SPL Token program.
pub const TOKEN_PROGRAM: Address =
    Address::from_str_const("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");

/// The Token-2022 program, whose mints are accepted without extensions or with metadata alone.
pub const TOKEN_2022_PROGRAM: Address =
    Address::from_str_const("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");

/// The program that derives associated token accounts.
pub const ASSOCIATED_TOKEN_PROGRAM: Address =
    Address::from_str_const("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");

/// The ed25519 signature precompile.
pub const ED25519_PROGRAM: Address =
    Address::from_str_const("Ed25519SigVerify111111111111111111111111111");

/// The loader of upgradeable programs, which owns the ProgramData account.
pub const UPGRADEABLE_LOADER: Address =
    Address::from_str_const("BPFLoaderUpgradeab1e11111111111111111111111");

/// Seed of the Pool.
pub const POOL_SEED: &[u8] = b"pool";

/// First seed of an Asset; its mint follows.
pub const ASSET_SEED: &[u8] = b"asset";

/// First seed of a Vault; its mint follows.
pub const VAULT_SEED: &[u8] = b"vault";

/// First seed of an Order; its 16-byte id follows.
pub const ORDER_SEED: &[u8] = b"order";

/// First seed of a Nullifier; the nullifier follows.
pub const NULLIFIER_SEED: &[u8] = b"nullifier";

/// Prefix of the message that an authoriser signs.
pub const TERMS_LABEL: &[u8; 16] = b"sotto/deposit/v2";
