//! The fees of an asset, in day buckets. What was booked on day D can be collected from day D + 2, so
//! that a refund proved soon after its deposit finds the fee that it gives back.

use crate::{constants::DAY_SECONDS, error::Error};

/// Fees in base units. `day` is the day of `today`, counted from 1970.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeeBuckets {
    pub day: u64,
    pub today: u64,
    pub yesterday: u64,
    pub collectable: u64,
}

impl FeeBuckets {
    /// All fees.
    pub fn total(&self) -> Result<u64, Error> {
        let recent = self.today.checked_add(self.yesterday).ok_or(Error::Overflow)?;
        recent.checked_add(self.collectable).ok_or(Error::Overflow)
    }

    /// Moves the buckets on to the day of `clock` (seconds). A clock that stands behind changes
    /// nothing.
    pub fn roll(&mut self, clock: u64) -> Result<(), Error> {
        let day = clock / DAY_SECONDS as u64;
        if day <= self.day {
            return Ok(());
        }
        let is_next_day = day == self.day + 1;
        self.collectable = self.collectable.checked_add(self.yesterday).ok_or(Error::Overflow)?;
        self.yesterday = self.today;
        self.today = 0;
        if !is_next_day {
            self.collectable =
                self.collectable.checked_add(self.yesterday).ok_or(Error::Overflow)?;
            self.yesterday = 0;
        }
        self.day = day;
        Ok(())
    }

    /// Books a fee earned at `clock`.
    pub fn book(&mut self, clock: u64, fee: u64) -> Result<(), Error> {
        self.roll(clock)?;
        self.today = self.today.checked_add(fee).ok_or(Error::Overflow)?;
        Ok(())
    }

    /// Takes `amount` out of what is collectable at `clock`.
    pub fn collect(&mut self, clock: u64, amount: u64) -> Result<(), Error> {
        self.roll(clock)?;
        self.collectable = self.collectable.checked_sub(amount).ok_or(Error::InsufficientFees)?;
        Ok(())
    }

    /// Takes `min(fee_back, total)` for a refund and returns it. The oldest go first: the newest may
    /// still be owed to others.
    pub fn give_back(&mut self, clock: u64, fee_back: u64) -> Result<u64, Error> {
        self.roll(clock)?;
        let mut left = fee_back;
        for bucket in [&mut self.collectable, &mut self.yesterday, &mut self.today] {
            let taken = left.min(*bucket);
            *bucket -= taken;
            left -= taken;
        }
        Ok(fee_back - left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 86_400;

    #[test]
    fn fees_are_collectable_from_the_second_day_after_and_not_before() {
        let mut fees = FeeBuckets::default();
        fees.book(10 * DAY + DAY - 1, 7).unwrap();
        assert_eq!(fees.collect(10 * DAY + DAY - 1, 1), Err(Error::InsufficientFees));
        assert_eq!(fees.collect(12 * DAY - 1, 1), Err(Error::InsufficientFees));
        assert_eq!(fees.collect(12 * DAY, 8), Err(Error::InsufficientFees));
        assert_eq!(fees.collect(12 * DAY, 7), Ok(()));
        assert_eq!(fees.total(), Ok(0));
    }

    #[test]
    fn fees_of_three_days_stay_apart() {
        let mut fees = FeeBuckets::default();
        for (day, fee) in [(10, 1), (11, 20), (12, 300)] {
            fees.book(day * DAY, fee).unwrap();
        }
        let expected = FeeBuckets { day: 12, today: 300, yesterday: 20, collectable: 1 };
        assert_eq!(fees, expected);
        fees.roll(20 * DAY).unwrap();
        assert_eq!(fees, FeeBuckets { day: 20, today: 0, yesterday: 0, collectable: 321 });
    }

    #[test]
    fn a_clock_that_stands_behind_moves_nothing() {
        let mut fees = FeeBuckets { day: 10, today: 5, yesterday: 6, collectable: 7 };
        let before = fees.clone();
        fees.roll(3 * DAY).unwrap();
        assert_eq!(fees, before);
    }

    #[test]
    fn a_refund_takes_the_oldest_fees_first_and_no_more_than_there_are() {
        let mut fees = FeeBuckets { day: 10, today: 5, yesterday: 6, collectable: 7 };
        assert_eq!(fees.give_back(10 * DAY, 9), Ok(9));
        assert_eq!(fees, FeeBuckets { day: 10, today: 5, yesterday: 4, collectable: 0 });
        assert_eq!(fees.give_back(10 * DAY, 100), Ok(9));
        assert_eq!(fees.total(), Ok(0));
    }

    #[test]
    fn sums_that_do_not_fit_are_refused() {
        let mut fees = FeeBuckets { day: 1, today: u64::MAX, yesterday: 1, collectable: 0 };
        assert_eq!(fees.book(DAY, 1), Err(Error::Overflow));
        assert_eq!(fees.total(), Err(Error::Overflow));
        assert_eq!(fees.roll(9 * DAY), Err(Error::Overflow));
    }
}
