use pinocchio::{AccountView, Address, error::ProgramError};

use crate::{error::Error, guards::stored::load_pool_for_admin, state::pool::Pool};

/// The accounts of `rotate_authoriser`, checked.
pub struct RotateAuthoriserAccounts<'a> {
    pub pool_account: &'a mut AccountView,
    pub pool: Pool,
}

impl<'a> RotateAuthoriserAccounts<'a> {
    pub fn parse(
        accounts: &'a mut [AccountView],
        program_id: &Address,
    ) -> Result<Self, ProgramError> {
        let [admin, pool_account] = accounts else {
            return Err(Error::WrongAccountCount.into());
        };
        let pool = load_pool_for_admin(pool_account, admin, program_id)?;
        Ok(Self { pool_account, pool })
    }
}
