//! An Order: the proof that an order was deposited. While it exists, the order can't be deposited
//! again. It exists until well after the deadline, when the deposit is no longer valid. I4

use super::discriminator;
use crate::{
    bytes::{array_at, put, u64_at},
    constants::CLOSE_DELAY_SECONDS,
    error::Error,
};

/// Bytes of an Order.
pub const ORDER_SIZE: usize = 56;

/// A decoded Order.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    pub bump: u8,
    pub deadline: u64,
    pub leaf_index: u64,
    pub sender: [u8; 32],
}

impl Order {
    /// Reads an Order's bytes.
    pub fn decode(data: &[u8]) -> Result<Self, Error> {
        if data.len() != ORDER_SIZE || data[0] != discriminator::ORDER {
            return Err(Error::WrongAccountData);
        }
        Ok(Self {
            bump: data[1],
            deadline: u64_at(data, 8),
            leaf_index: u64_at(data, 16),
            sender: array_at(data, 24),
        })
    }

    /// Writes the Order over `data`, which is `ORDER_SIZE` bytes long.
    pub fn encode(&self, data: &mut [u8]) {
        data[0] = discriminator::ORDER;
        data[1] = self.bump;
        put(data, 8, &self.deadline.to_le_bytes());
        put(data, 16, &self.leaf_index.to_le_bytes());
        put(data, 24, &self.sender);
    }

    /// The time from which anyone may close the Order. It depends only on the deadline, so closing
    /// reveals nothing about the delivery.
    pub fn closable_at(&self) -> u64 {
        self.deadline.saturating_add(CLOSE_DELAY_SECONDS as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_reads_back_as_it_was_written() {
        let order = Order { bump: 250, deadline: 1_000, leaf_index: 7, sender: [9; 32] };
        let mut data = [0; ORDER_SIZE];
        order.encode(&mut data);
        assert_eq!(Order::decode(&data), Ok(order.clone()));
        assert_eq!(order.closable_at(), 87_400);
        assert_eq!(Order::decode(&data[..55]), Err(Error::WrongAccountData));
    }
}
