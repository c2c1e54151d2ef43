//! Limits the amount that swaps may pay out of an asset's inventory. Without this limit, a thief
//! with an authoriser key could drain the inventory before the operator notices. I6

use crate::error::Error;

/// `cap` and `used` are in base units, times in seconds. Used allowance becomes free again at a constant rate: a whole
/// cap in each period. So at most the cap is free at any moment, and at most `cap + cap * n / period_seconds` leaves in
/// any `n` seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SwapAllowance {
    pub cap: u64,
    /// Fits into 32 bits, so that the arithmetic fits into 64.
    pub period_seconds: u64,
    /// The time up to which `used` was last reduced.
    pub updated_at: u64,
    pub used: u64,
}

impl SwapAllowance {
    /// Sets cap and period; `used` is unchanged.
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
        let held = self.used.saturating_sub(self.refilled(clock));
        let used = held.checked_add(amount).ok_or(Error::Overflow)?;
        if used > self.cap {
            return Err(Error::SwapCapReached);
        }
        self.used = used;
        self.updated_at = clock;
        Ok(())
    }

    /// The allowance that became free since the last update: `floor(cap * elapsed / period)`. After a whole period, all
    /// of `used` is free, even if it exceeds a cap that was lowered meanwhile. Rounding down is the safe direction, and
    /// withholds less than a base unit at each swap.
    fn refilled(&self, clock: u64) -> u64 {
        let (cap, period) = (self.cap, self.period_seconds);
        let elapsed = clock.saturating_sub(self.updated_at);
        if elapsed >= period {
            return u64::MAX;
        }
        // With cap = q * period + r, the result is exactly q * elapsed + r * elapsed / period. The
        // first product is below cap, and the factors of the second product are below 2^32. So no
        // product can wrap. A checked multiplication doesn't link on this target.
        let (quotient, remainder) = (cap / period, cap % period);
        quotient.wrapping_mul(elapsed) + remainder.wrapping_mul(elapsed) / period
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowance(cap: u64, period_seconds: u32) -> SwapAllowance {
        let mut allowance = SwapAllowance::default();
        allowance.set(cap, period_seconds).unwrap();
        allowance
    }

    #[test]
    fn never_more_than_the_cap_is_free() {
        let mut allowance = allowance(100, 60);
        assert_eq!(allowance.take(1_000_000, 101), Err(Error::SwapCapReached));
        assert_eq!(allowance.take(1_000_000, 100), Ok(()));
        assert_eq!(allowance.take(1_000_000, 1), Err(Error::SwapCapReached));
        assert_eq!(allowance.take(9_000_000, 101), Err(Error::SwapCapReached));
        assert_eq!(allowance.take(9_000_000, 100), Ok(()));
    }

    #[test]
    fn the_used_amount_becomes_free_at_a_constant_rate() {
        let mut allowance = allowance(100, 60);
        allowance.take(1_000, 100).unwrap();
        assert_eq!(allowance.clone().take(1_030, 51), Err(Error::SwapCapReached));
        assert_eq!(allowance.take(1_030, 50), Ok(()));
        assert_eq!(allowance.clone().take(1_059, 49), Err(Error::SwapCapReached));
        assert_eq!(allowance.take(1_059, 48), Ok(()));
    }

    #[test]
    fn a_clock_that_goes_back_frees_nothing() {
        let mut allowance = allowance(100, 60);
        allowance.take(1_000, 100).unwrap();
        assert_eq!(allowance.take(999, 1), Err(Error::SwapCapReached));
    }

    #[test]
    fn the_refill_is_exact_for_the_smallest_and_largest_values() {
        for (cap, period) in [(u64::MAX, u32::MAX), (u64::MAX, 7), (3, u32::MAX), (u64::MAX, 1)] {
            let allowance = allowance(cap, period);
            for elapsed in [0, 1, period as u64 / 2, period as u64 - 1] {
                if elapsed < period as u64 {
                    let expected = cap as u128 * elapsed as u128 / period as u128;
                    assert_eq!(allowance.refilled(elapsed) as u128, expected);
                }
            }
            assert_eq!(allowance.refilled(period as u64), u64::MAX);
        }
    }

    #[test]
    fn no_window_pays_more_than_the_cap_and_its_refill() {
        let (cap, period) = (1_000, 600);
        let mut allowance = allowance(cap, period);
        let mut paid: Vec<(u64, u64)> = vec![];
        let mut clock = 1_000_000;
        let mut state = 88_172_645_463_325_252_u64;
        for _ in 0..4_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            clock += state % 40;
            let amount = state / 64 % 400;
            if allowance.take(clock, amount).is_ok() {
                paid.push((clock, amount));
            }
        }
        for (first, (from, _)) in paid.iter().enumerate() {
            let mut sum = 0;
            for (at, amount) in &paid[first..] {
                sum += amount;
                assert!(sum <= cap + cap * (at - from) / period as u64);
            }
        }
        assert!(paid.len() > 100);
    }

    #[test]
    fn a_new_cap_keeps_the_used_amount() {
        let mut allowance = allowance(100, 60);
        allowance.take(1_000, 80).unwrap();
        allowance.set(90, 60).unwrap();
        assert_eq!(allowance.take(1_000, 11), Err(Error::SwapCapReached));
        assert_eq!(allowance.take(1_000, 10), Ok(()));
    }

    #[test]
    fn a_lowered_cap_is_free_again_after_one_period() {
        let mut allowance = allowance(100, 60);
        allowance.take(1_000, 100).unwrap();
        allowance.set(10, 60).unwrap();
        assert_eq!(allowance.take(1_059, 1), Err(Error::SwapCapReached));
        assert_eq!(allowance.take(1_060, 10), Ok(()));
    }

    #[test]
    fn a_period_of_zero_seconds_is_refused() {
        assert_eq!(SwapAllowance::default().set(1, 0), Err(Error::LimitOutOfRange));
    }
}
