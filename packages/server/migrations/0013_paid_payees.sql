-- Works beside: 0012
--
-- The payees of the pool's settlements, which the chain shows. A row has the first eight bytes of a hash of the payee's
-- address. Quotes read this table: payments to one payee can be linked with each other, whatever their amounts are. No
-- row says which order paid the payee, and refunds and returned rests add no row.
CREATE TABLE paid_payees (
  payee_hash bigint PRIMARY KEY
);
-- False while the table may lack payees of earlier settlements. Quotes then treat every recipient as paid before. A
-- database that has orders lacks the payees from before this migration, until `sotto-server rebuild --add` adds them.
ALTER TABLE health ADD COLUMN has_paid_payees boolean NOT NULL DEFAULT true;
UPDATE health SET has_paid_payees = NOT EXISTS (SELECT 1 FROM orders);
