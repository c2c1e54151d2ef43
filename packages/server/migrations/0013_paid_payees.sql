-- Works beside: 0012
--
-- The payees of the pool's settlements, which the chain shows. A row has the first eight bytes of a hash of the payee's
-- address. Quotes read this table: payments to one payee can be linked with each other, whatever their amounts are.
-- Payees that were paid before this migration are missing. No row says which order paid the payee, and refunds and
-- returned rests add no row.
CREATE TABLE paid_payees (
  payee_hash bigint PRIMARY KEY
);
