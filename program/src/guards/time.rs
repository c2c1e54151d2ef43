//! The rules of time. All deadlines follow the chain's clock, in seconds; no code here uses another clock.

use pinocchio::{
    error::ProgramError,
    sysvars::{Sysvar, clock::Clock},
};

use crate::{
    constants::{SKEW_SECONDS, TIME_GRID_SECONDS},
    error::Error,
};

/// The chain's clock.
pub fn now() -> Result<u64, ProgramError> {
    let seconds = Clock::get()?.unix_timestamp;
    u64::try_from(seconds).map_err(|_| Error::Overflow.into())
}

/// The times of a deposit, in seconds.
pub struct DepositTimes {
    pub deadline: u64,
    pub valid_until: u64,
}

/// Asserts that a deposit with these times may land at `clock`, given the pool's limit. I5
///
/// All times come from an i64, so no sum overflows.
pub fn assert_deposit_times(
    times: &DepositTimes,
    clock: u64,
    max_deposit_seconds: u32,
) -> Result<(), Error> {
    if clock > times.deadline {
        return Err(Error::DeadlinePassed);
    }
    if times.deadline > clock + max_deposit_seconds as u64 {
        return Err(Error::DeadlineTooFar);
    }
    if clock > times.valid_until || times.valid_until > times.deadline {
        return Err(Error::AuthorisationExpired);
    }
    assert_on_grid(times.deadline)
}

/// Asserts that a settlement may use `time` at `clock`. The circuit relates `time` to the note's
/// hidden expiry: a refund proves `expiry < time`, every other settlement `time <= expiry`. I5
///
/// The circuit also limits the deadline of a payment's change by `time`. If `time` could be far ahead of
/// the clock, the change could outlive the Nullifiers. I2
pub fn assert_settle_time(time: u64, clock: u64, refund: bool) -> Result<(), Error> {
    assert_on_grid(time)?;
    if !refund && clock > time {
        return Err(Error::SettlementTimePassed);
    }
    if !refund && time > clock + SKEW_SECONDS as u64 {
        return Err(Error::SettlementTimeTooFar);
    }
    if refund && (time > clock || clock > time + SKEW_SECONDS as u64) {
        return Err(Error::RefundTimeOutOfRange);
    }
    Ok(())
}

fn assert_on_grid(time: u64) -> Result<(), Error> {
    if !time.is_multiple_of(TIME_GRID_SECONDS as u64) {
        return Err(Error::OffTimeGrid);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: u64 = 600_000;

    fn times() -> DepositTimes {
        DepositTimes { deadline: CLOCK + 600, valid_until: CLOCK + 90 }
    }

    fn check(times: DepositTimes, clock: u64) -> Result<(), Error> {
        assert_deposit_times(&times, clock, 3_600)
    }

    #[test]
    fn a_deposit_lands_up_to_its_deadline_and_not_a_second_later() {
        let at = |valid_until| DepositTimes { valid_until, ..times() };
        assert_eq!(check(at(CLOCK + 600), CLOCK + 600), Ok(()));
        assert_eq!(check(at(CLOCK + 600), CLOCK + 601), Err(Error::DeadlinePassed));
    }

    #[test]
    fn a_deadline_is_at_most_the_limit_ahead() {
        let at = |deadline| DepositTimes { deadline, ..times() };
        assert_eq!(check(at(CLOCK + 3_600), CLOCK), Ok(()));
        assert_eq!(check(at(CLOCK + 3_601), CLOCK), Err(Error::DeadlineTooFar));
    }

    #[test]
    fn an_authorisation_ends_at_valid_until_and_never_outlives_the_deadline() {
        assert_eq!(check(times(), CLOCK + 90), Ok(()));
        assert_eq!(check(times(), CLOCK + 91), Err(Error::AuthorisationExpired));
        let long = DepositTimes { valid_until: CLOCK + 601, ..times() };
        assert_eq!(check(long, CLOCK), Err(Error::AuthorisationExpired));
    }

    #[test]
    fn a_deadline_off_the_grid_is_refused() {
        for off in [1, 599] {
            let times = DepositTimes { deadline: CLOCK + 600 + off, ..times() };
            assert_eq!(check(times, CLOCK), Err(Error::OffTimeGrid));
        }
    }

    #[test]
    fn a_payment_lands_up_to_its_time() {
        assert_eq!(assert_settle_time(CLOCK, CLOCK, false), Ok(()));
        assert_eq!(assert_settle_time(CLOCK, CLOCK + 1, false), Err(Error::SettlementTimePassed));
        assert_eq!(assert_settle_time(CLOCK + 1, CLOCK, false), Err(Error::OffTimeGrid));
    }

    #[test]
    fn a_payment_lands_at_most_the_skew_before_its_time() {
        assert_eq!(assert_settle_time(CLOCK, CLOCK - 3_600, false), Ok(()));
        let early = assert_settle_time(CLOCK, CLOCK - 3_601, false);
        assert_eq!(early, Err(Error::SettlementTimeTooFar));
    }

    #[test]
    fn a_refund_lands_from_its_time_until_the_skew_has_passed() {
        let refund = |clock| assert_settle_time(CLOCK, clock, true);
        assert_eq!(refund(CLOCK - 1), Err(Error::RefundTimeOutOfRange));
        assert_eq!(refund(CLOCK), Ok(()));
        assert_eq!(refund(CLOCK + 3_600), Ok(()));
        assert_eq!(refund(CLOCK + 3_601), Err(Error::RefundTimeOutOfRange));
    }
}
