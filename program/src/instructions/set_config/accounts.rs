use pinocchio::{AccountView, Address, error::ProgramError};

use crate::{
    error::Error,
    guards::{account::assert_signer, stored::load_pool_for_admin},
    state::pool::Pool,
};

/// The accounts of `set_config`, checked.
pub struct SetConfigAccounts<'a> {
    pub pool_account: &'a mut AccountView,
    pub pool: Pool,
    pub new_admin: [u8; 32],
}

impl<'a> SetConfigAccounts<'a> {
    pub fn parse(
        accounts: &'a mut [AccountView],
        program_id: &Address,
    ) -> Result<Self, ProgramError> {
        let [admin, pool_account, new_admin] = accounts else {
            return Err(Error::WrongAccountCount.into());
        };
        let pool = load_pool_for_admin(pool_account, admin, program_id)?;
        // A new admin signs too, because with a mistyped address the pool would be lost for ever.
        assert_signer(new_admin)?;
        let new_admin = *new_admin.address().as_array();
        Ok(Self { pool_account, pool, new_admin })
    }
}
