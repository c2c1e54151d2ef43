//! The arithmetic of a deposit, without accounts.

use super::data::DepositData;
use crate::{error::Error, state::asset::Asset};

/// A send: `value = amountIn - partnerFee`, exactly. The partner's share never enters the vault.
pub fn book_send(asset: &mut Asset, data: &DepositData) -> Result<(), Error> {
    assert_takes(asset, data)?;
    if data.value != data.vault_amount()? {
        return Err(Error::AmountMismatch);
    }
    asset.owe(data.value)
}

/// A swap: `amountIn - partnerFee` is added to the source's inventory, and `value` moves from the destination's
/// inventory to its `owed`. I6
pub fn book_swap(
    source: &mut Asset,
    destination: &mut Asset,
    data: &DepositData,
    clock: u64,
) -> Result<(), Error> {
    if source.mint == destination.mint {
        return Err(Error::SameAsset);
    }
    if destination.deposits_paused {
        return Err(Error::DepositsPaused);
    }
    assert_takes(source, data)?;
    source.add_inventory(data.vault_amount()?)?;
    destination.swap_out(clock, data.value)
}

/// Asserts that the source asset accepts this deposit and that the note's value isn't zero.
fn assert_takes(source: &Asset, data: &DepositData) -> Result<(), Error> {
    if data.value == 0 {
        return Err(Error::ZeroAmount);
    }
    if source.deposits_paused {
        return Err(Error::DepositsPaused);
    }
    if data.amount_in > source.deposit_max {
        return Err(Error::DepositTooLarge);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::put,
        instructions::deposit::data::DEPOSIT_DATA_SIZE,
        state::{asset::Kind, swap_allowance::SwapAllowance},
    };

    fn asset(mint: u8) -> Asset {
        Asset {
            bump: 0,
            kind: Kind::Token,
            decimals: 6,
            vault_bump: 0,
            deposits_paused: false,
            mint: [mint; 32],
            vault: [0; 32],
            asset_hash: [0; 32],
            owed: 0,
            inventory: 1_000,
            fees: 0,
            deposit_max: u64::MAX,
            swap: SwapAllowance { cap: 500, period_seconds: 60, updated_at: 0, used: 0 },
        }
    }

    /// A deposit's data with these amounts: amountIn, value, partnerFee.
    fn data(amounts: [u64; 3]) -> [u8; DEPOSIT_DATA_SIZE] {
        let mut data = [0; DEPOSIT_DATA_SIZE];
        for (i, amount) in amounts.iter().enumerate() {
            put(&mut data, 17 + 8 * i, &amount.to_le_bytes());
        }
        data
    }

    fn send(asset: &mut Asset, amounts: [u64; 3]) -> Result<(), Error> {
        book_send(asset, &DepositData::parse(&data(amounts)).unwrap())
    }

    fn swap(pair: &mut [Asset; 2], amounts: [u64; 3]) -> Result<(), Error> {
        let [source, destination] = pair;
        book_swap(source, destination, &DepositData::parse(&data(amounts)).unwrap(), 86_400)
    }

    #[test]
    fn the_amounts_of_a_send_add_up_exactly() {
        let mut booked = asset(1);
        assert_eq!(send(&mut booked, [100, 97, 3]), Ok(()));
        assert_eq!((booked.owed, booked.fees, booked.inventory), (97, 0, 1_000));
        for amounts in [[100, 97, 4], [100, 97, 2], [100, 98, 3], [2, 97, 3], [2, 1, 3]] {
            assert_eq!(send(&mut asset(1), amounts), Err(Error::AmountMismatch));
        }
    }

    #[test]
    fn amounts_that_wrap_around_do_not_add_up() {
        for amounts in [[10, u64::MAX, 11], [10, 5, u64::MAX - 5], [0, 1, u64::MAX]] {
            assert_eq!(send(&mut asset(1), amounts), Err(Error::AmountMismatch));
        }
        let mut full = Asset { owed: u64::MAX, ..asset(1) };
        assert_eq!(send(&mut full, [1, 1, 0]), Err(Error::Overflow));
    }

    #[test]
    fn a_note_without_value_is_refused() {
        assert_eq!(send(&mut asset(1), [3, 0, 3]), Err(Error::ZeroAmount));
        assert_eq!(swap(&mut [asset(1), asset(2)], [3, 0, 0]), Err(Error::ZeroAmount));
    }

    #[test]
    fn a_swap_adds_to_the_sources_inventory_and_to_the_destinations_owed() {
        let mut pair = [asset(1), asset(2)];
        assert_eq!(swap(&mut pair, [100, 250, 3]), Ok(()));
        assert_eq!((pair[0].owed, pair[0].inventory), (0, 1_097));
        assert_eq!((pair[1].owed, pair[1].inventory), (250, 750));
    }

    #[test]
    fn a_swap_that_exceeds_cap_inventory_or_amount_in_is_refused() {
        let mut pair = [asset(1), asset(2)];
        assert_eq!(swap(&mut pair, [100, 501, 0]), Err(Error::SwapCapReached));
        pair[1].inventory = 10;
        assert_eq!(swap(&mut pair, [100, 11, 0]), Err(Error::InsufficientInventory));
        assert_eq!(swap(&mut pair, [100, 1, 101]), Err(Error::AmountMismatch));
        assert_eq!(swap(&mut [asset(1), asset(1)], [1, 1, 0]), Err(Error::SameAsset));
    }

    #[test]
    fn pauses_and_the_deposit_limit_apply_to_sends_and_swaps() {
        let paused = || Asset { deposits_paused: true, ..asset(1) };
        assert_eq!(send(&mut paused(), [1, 1, 0]), Err(Error::DepositsPaused));
        assert_eq!(swap(&mut [paused(), asset(2)], [1, 1, 0]), Err(Error::DepositsPaused));
        assert_eq!(swap(&mut [asset(2), paused()], [1, 1, 0]), Err(Error::DepositsPaused));
        let small = || Asset { deposit_max: 9, ..asset(1) };
        assert_eq!(send(&mut small(), [9, 9, 0]), Ok(()));
        assert_eq!(send(&mut small(), [10, 10, 0]), Err(Error::DepositTooLarge));
        assert_eq!(swap(&mut [small(), asset(2)], [10, 1, 0]), Err(Error::DepositTooLarge));
    }
}
