//! An Asset: for one mint, the amount that the pool owes, the fees that it earned, and the inventory for swaps.

use super::{discriminator, swap_allowance::SwapAllowance};
use pinocchio::Address;

use crate::{
    bytes::{array_at, put, u64_at},
    constants::{TOKEN_2022_PROGRAM, TOKEN_PROGRAM},
    error::Error,
};

/// Bytes of an Asset.
pub const ASSET_SIZE: usize = 168;

/// An asset's kind of money: lamports or tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Lamports, in a program-owned account without data.
    Native = 0,
    /// A mint of the SPL Token program.
    Token = 1,
    /// A mint of the Token-2022 program, without extensions that could affect the pool's money.
    Token2022 = 2,
}

impl Kind {
    fn decode(byte: u8) -> Result<Self, Error> {
        match byte {
            0 => Ok(Self::Native),
            1 => Ok(Self::Token),
            2 => Ok(Self::Token2022),
            _ => Err(Error::WrongAccountData),
        }
    }

    /// The token program of this kind of money; `None` for lamports.
    pub fn token_program(self) -> Option<&'static Address> {
        match self {
            Self::Native => None,
            Self::Token => Some(&TOKEN_PROGRAM),
            Self::Token2022 => Some(&TOKEN_2022_PROGRAM),
        }
    }
}

/// A token's mint and its token program. Only both together identify the money.
#[derive(Clone, Copy)]
pub struct Token<'a> {
    pub program: &'static Address,
    pub mint: &'a [u8; 32],
}

/// A decoded Asset. Amounts are base units.
#[derive(Clone, Debug, PartialEq)]
pub struct Asset {
    pub bump: u8,
    pub kind: Kind,
    pub decimals: u8,
    pub vault_bump: u8,
    pub deposits_paused: bool,
    pub mint: [u8; 32],
    pub vault: [u8; 32],
    pub asset_hash: [u8; 32],
    /// The sum of unsettled notes.
    pub owed: u64,
    /// The funds that swaps may pay out.
    pub inventory: u64,
    /// The fees that settlements earned and the operator hasn't collected.
    pub fees: u64,
    /// Greatest `amountIn` of a deposit.
    pub deposit_max: u64,
    pub swap: SwapAllowance,
}

impl Asset {
    /// Reads an Asset's bytes.
    pub fn decode(data: &[u8]) -> Result<Self, Error> {
        if data.len() != ASSET_SIZE || data[0] != discriminator::ASSET {
            return Err(Error::WrongAccountData);
        }
        Ok(Self {
            bump: data[1],
            kind: Kind::decode(data[2])?,
            decimals: data[3],
            vault_bump: data[4],
            deposits_paused: data[5] != 0,
            mint: array_at(data, 8),
            vault: array_at(data, 40),
            asset_hash: array_at(data, 72),
            owed: u64_at(data, 104),
            inventory: u64_at(data, 112),
            fees: u64_at(data, 120),
            deposit_max: u64_at(data, 128),
            swap: SwapAllowance {
                cap: u64_at(data, 136),
                period_seconds: u64_at(data, 144),
                updated_at: u64_at(data, 152),
                used: u64_at(data, 160),
            },
        })
    }

    /// Writes the Asset over `data`, which is `ASSET_SIZE` bytes long.
    pub fn encode(&self, data: &mut [u8]) {
        data[0] = discriminator::ASSET;
        data[1] = self.bump;
        data[2] = self.kind as u8;
        data[3] = self.decimals;
        data[4] = self.vault_bump;
        data[5] = self.deposits_paused as u8;
        put(data, 8, &self.mint);
        put(data, 40, &self.vault);
        put(data, 72, &self.asset_hash);
        let numbers = [
            self.owed,
            self.inventory,
            self.fees,
            self.deposit_max,
            self.swap.cap,
            self.swap.period_seconds,
            self.swap.updated_at,
            self.swap.used,
        ];
        let mut at = 104;
        for number in numbers {
            put(data, at, &number.to_le_bytes());
            at += 8;
        }
    }

    /// The asset's token; `None` for lamports.
    pub fn token(&self) -> Option<Token<'_>> {
        self.kind.token_program().map(|program| Token { program, mint: &self.mint })
    }

    /// The amount that the vault must hold: owed, fees and inventory. I1
    pub fn liabilities(&self) -> Result<u64, Error> {
        let sum = self.owed.checked_add(self.inventory).ok_or(Error::Overflow)?;
        sum.checked_add(self.fees).ok_or(Error::Overflow)
    }

    /// Books a deposit, which creates a note of this amount.
    pub fn owe(&mut self, amount: u64) -> Result<(), Error> {
        self.owed = self.owed.checked_add(amount).ok_or(Error::Overflow)?;
        Ok(())
    }

    /// Books a settlement: `payout` leaves the note and `fee` is earned. The rest of the note stays owed.
    pub fn settle(&mut self, payout: u64, fee: u64) -> Result<(), Error> {
        let gross = payout.checked_add(fee).ok_or(Error::Overflow)?;
        self.owed = self.owed.checked_sub(gross).ok_or(Error::OwedShort)?;
        self.fees = self.fees.checked_add(fee).ok_or(Error::Overflow)?;
        Ok(())
    }

    /// Subtracts fees that the operator withdraws. Only earned fees can be withdrawn.
    pub fn collect_fees(&mut self, amount: u64) -> Result<(), Error> {
        self.fees = self.fees.checked_sub(amount).ok_or(Error::InsufficientFees)?;
        Ok(())
    }

    /// Adds inventory, from the operator or from the source side of a swap.
    pub fn add_inventory(&mut self, amount: u64) -> Result<(), Error> {
        self.inventory = self.inventory.checked_add(amount).ok_or(Error::Overflow)?;
        Ok(())
    }

    /// Subtracts inventory that the operator withdraws.
    pub fn remove_inventory(&mut self, amount: u64) -> Result<(), Error> {
        self.inventory = self.inventory.checked_sub(amount).ok_or(Error::InsufficientInventory)?;
        Ok(())
    }

    /// Books the destination side of a swap: inventory becomes a note, up to the remaining cap. The sum of the
    /// liabilities stays the same, so I1 stays true without a check of this vault.
    pub fn swap_out(&mut self, clock: u64, amount: u64) -> Result<(), Error> {
        self.swap.take(clock, amount)?; // I6
        self.remove_inventory(amount)?;
        self.owe(amount)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asset() -> Asset {
        Asset {
            bump: 255,
            kind: Kind::Token,
            decimals: 6,
            vault_bump: 253,
            deposits_paused: true,
            mint: [1; 32],
            vault: [2; 32],
            asset_hash: [3; 32],
            owed: 4,
            inventory: 5,
            fees: 6,
            deposit_max: 10,
            swap: SwapAllowance { cap: 11, period_seconds: 12, updated_at: 13, used: 14 },
        }
    }

    #[test]
    fn an_asset_reads_back_as_it_was_written() {
        let mut data = [0; ASSET_SIZE];
        asset().encode(&mut data);
        assert_eq!(Asset::decode(&data), Ok(asset()));
        assert_eq!((data[104], data[120], data[128], data[160]), (4, 6, 10, 14));
        data[2] = 2;
        assert_eq!(Asset::decode(&data), Ok(Asset { kind: Kind::Token2022, ..asset() }));
        data[2] = 3;
        assert_eq!(Asset::decode(&data), Err(Error::WrongAccountData));
    }

    #[test]
    fn liabilities_are_the_sum_of_owed_inventory_and_fees() {
        assert_eq!(asset().liabilities(), Ok(4 + 5 + 6));
        let full = Asset { owed: u64::MAX, ..asset() };
        assert_eq!(full.liabilities(), Err(Error::Overflow));
    }

    #[test]
    fn a_swap_moves_inventory_to_owed_and_keeps_their_sum() {
        let mut after = Asset { inventory: 11, ..asset() };
        let sum = after.liabilities();
        assert_eq!(after.swap_out(1_000, 11), Ok(()));
        assert_eq!((after.owed, after.inventory), (15, 0));
        assert_eq!(after.liabilities(), sum);
        let mut poor = asset();
        assert_eq!(poor.swap_out(1_000, 6), Err(Error::InsufficientInventory));
    }

    #[test]
    fn no_amount_in_the_books_goes_below_zero() {
        assert_eq!(asset().settle(4, 1), Err(Error::OwedShort));
        assert_eq!(asset().collect_fees(7), Err(Error::InsufficientFees));
        assert_eq!(asset().remove_inventory(6), Err(Error::InsufficientInventory));
    }

    #[test]
    fn a_settlement_moves_its_fee_from_owed_to_fees_and_subtracts_its_payout() {
        let mut after = asset();
        assert_eq!(after.settle(1, 2), Ok(()));
        assert_eq!((after.owed, after.fees), (1, 8));
        assert_eq!(after.liabilities(), Ok(asset().liabilities().unwrap() - 1));
    }

    #[test]
    fn a_settlement_that_wraps_around_is_refused() {
        let rich = || Asset { owed: u64::MAX, ..asset() };
        assert_eq!(rich().settle(u64::MAX, 1), Err(Error::Overflow));
        assert_eq!(rich().settle(1, u64::MAX), Err(Error::Overflow));
        let mut earned = Asset { fees: u64::MAX, ..rich() };
        assert_eq!(earned.settle(1, 1), Err(Error::Overflow));
    }
}
