//! How much swaps may pay out of an asset's inventory in a period: the most that a stolen authoriser
//! key can drain before somebody notices. I6

use crate::error::Error;

/// `cap` and `used` in base units, times in seconds. The first swap after a period opens the next, so
/// that up to twice the cap may leave around the change of two periods.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SwapAllowance {
    pub cap: u64,
    pub period_seconds: u64,
    pub period_start: u64,
    pub used: u64,
}

impl SwapAllowance {
    /// Sets cap and period. What was used in the running period stays used.
    pub fn set(&mut self, cap: u64, period_seconds: u32) -> Result<(), Error> {
        if period_seconds == 0 {
            return Err(Error::LimitOutOfRange);
        }
        self.cap = cap;
        self.period_seconds = period_seconds as u64;
        Ok(())
    }

    /// Uses `amount` at `clock`.
    pub fn take(&mut self, clock: u64, amount: u64) -> Result<(), Error> {
        let end = self.period_start.checked_add(self.period_seconds).ok_or(Error::Overflow)?;
        if clock >= end {
            self.period_start = clock;
            self.used = 0;
        }
        let used = self.used.checked_add(amount).ok_or(Error::Overflow)?;
        if used > self.cap {
            return Err(Error::SwapCapReached);
        }
        self.used = used;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_pays_out_its_cap_and_no_more() {
        let mut allowance = SwapAllowance::default();
        allowance.set(100, 60).unwrap();
        assert_eq!(allowance.take(1_000, 100), Ok(()));
        assert_eq!(allowance.take(1_059, 1), Err(Error::SwapCapReached));
        assert_eq!(allowance.take(1_060, 101), Err(Error::SwapCapReached));
        assert_eq!(allowance.take(1_060, 100), Ok(()));
    }

    #[test]
    fn a_new_cap_does_not_forget_what_was_used() {
        let mut allowance = SwapAllowance::default();
        allowance.set(100, 60).unwrap();
        allowance.take(1_000, 80).unwrap();
        allowance.set(90, 60).unwrap();
        assert_eq!(allowance.take(1_001, 11), Err(Error::SwapCapReached));
        assert_eq!(allowance.take(1_001, 10), Ok(()));
    }

    #[test]
    fn a_period_without_length_would_be_no_cap() {
        assert_eq!(SwapAllowance::default().set(1, 0), Err(Error::LimitOutOfRange));
    }
}
