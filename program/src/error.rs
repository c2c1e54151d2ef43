//! Every error with which the program refuses an instruction. New errors are only appended, because
//! clients know the numbers. Numbers start at 7,000, because the System program and the token
//! programs use low numbers. The comment above each error is the message that clients show.

use pinocchio::error::ProgramError;

/// A refusal; on the chain it is `Custom(code)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Error {
    /// The instruction's tag is unknown.
    UnknownInstruction = 7000,
    /// The instruction data has the wrong length or an undefined flag.
    InvalidInstructionData = 7001,
    /// The number of accounts is not the one that the instruction takes.
    WrongAccountCount = 7002,
    /// An account that must sign did not sign.
    MissingSignature = 7003,
    /// An account that must be writable is read-only.
    NotWritable = 7004,
    /// An account is owned by the wrong program.
    WrongOwner = 7005,
    /// An account holds the wrong kind of data.
    WrongAccountData = 7006,
    /// An account is at the wrong address.
    WrongAddress = 7007,
    /// The account to be created exists already.
    AlreadyInitialized = 7008,
    /// The signer is not the program's upgrade authority.
    NotUpgradeAuthority = 7009,
    /// The tree is not program-owned, zeroed, rent-exempt and of the exact size.
    InvalidTree = 7010,
    /// A limit of the configuration lies outside its bounds.
    LimitOutOfRange = 7011,
    /// The signer is not the pool's admin.
    NotAdmin = 7012,
    /// The admin would be the zero address, for which no key can sign.
    InvalidAdmin = 7013,
    /// The authoriser slot is neither 0 nor 1.
    InvalidAuthoriserSlot = 7014,
    /// The Token-2022 mint has an extension that the pool does not accept.
    Token2022Unsupported = 7015,
    /// The mint is not an initialised mint of a token program.
    InvalidMint = 7016,
    /// The token account has the wrong mint or owner, or is not initialised.
    InvalidTokenAccount = 7017,
    /// An amount that must be greater than zero is zero.
    ZeroAmount = 7018,
    /// The amounts do not add up to amountIn.
    AmountMismatch = 7019,
    /// A sum does not fit in its type.
    Overflow = 7020,
    /// The inventory is smaller than the amount.
    InsufficientInventory = 7021,
    /// The fees are smaller than the amount.
    InsufficientFees = 7022,
    /// Deposits are paused.
    DepositsPaused = 7023,
    /// The deposit is greater than the asset's depositMax.
    DepositTooLarge = 7024,
    /// The swap exceeds the amount that the cap allows at this time.
    SwapCapReached = 7025,
    /// A swap needs two different assets.
    SameAsset = 7026,
    /// The order's deadline has passed.
    DeadlinePassed = 7027,
    /// The order's deadline lies too far ahead.
    DeadlineTooFar = 7028,
    /// The authorisation is no longer valid, or it outlives the deadline.
    AuthorisationExpired = 7029,
    /// A public time is not a multiple of 600 seconds.
    OffTimeGrid = 7030,
    /// The instruction directly before the deposit is not an ed25519 verification.
    AuthorisationMissing = 7031,
    /// The ed25519 instruction does not have the exact form that is accepted.
    AuthorisationMalformed = 7032,
    /// The key that signed is not an authoriser of the pool.
    AuthoriserUnknown = 7033,
    /// The authoriser did not sign these terms.
    AuthorisationMismatch = 7034,
    /// The order was deposited already.
    OrderExists = 7035,
    /// The tree has no place left for this leaf.
    TreeFull = 7036,
    /// A value is not below the field's modulus.
    NotAFieldElement = 7037,
    /// The root's index or kind is out of range.
    RootIndexOutOfRange = 7038,
    /// There is no root at this index.
    RootUnknown = 7039,
    /// The settlement's time has passed.
    SettlementTimePassed = 7040,
    /// The refund's time lies ahead of the clock or too far behind it.
    RefundTimeOutOfRange = 7041,
    /// The proof does not hold for these public inputs.
    ProofInvalid = 7042,
    /// The note was settled already.
    NullifierSpent = 7043,
    /// The payee is not an account that may be paid.
    PayeeNotPayable = 7044,
    /// The partner's account is not one that may be paid.
    PartnerNotPayable = 7045,
    /// The vault would hold less than it owes.
    VaultShort = 7046,
    /// The token program did not move the requested amount.
    VaultDeltaMismatch = 7047,
    /// The asset owes less than payout and fee together.
    OwedShort = 7048,
    /// The account cannot be closed yet.
    TooEarlyToClose = 7049,
    /// The Poseidon hash failed.
    HashFailed = 7050,
    /// The cluster states its rent in a form that this program does not know.
    RentUnsupported = 7051,
    /// The extensions of the Token-2022 mint have a wrong layout.
    MintExtensionsMalformed = 7052,
    /// The settlement's time lies too far ahead.
    SettlementTimeTooFar = 7053,
}

impl From<Error> for ProgramError {
    fn from(error: Error) -> Self {
        ProgramError::Custom(error as u32)
    }
}
