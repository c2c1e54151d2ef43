-- What unpaid orders may hold back is bounded for each account, and on the send page for each network.
-- Works beside: 0010
ALTER TABLE accounts ADD COLUMN open_orders_max integer NOT NULL DEFAULT 1000 CHECK (open_orders_max >= 0);

-- An unpaid order holds one of the places of its account, or of the network that a visitor of the send page came
-- from. No two orders hold the same one, so that of any number which race no more are made than there are places.
ALTER TABLE orders ADD COLUMN place integer CHECK (place >= 0);
-- The network under a key of the order's epoch: it shows that two orders of an hour came from one network, and after
-- the key's destruction nobody finds out which. Empty for orders that came by an API key of a partner, so that the
-- index below needs no expression, of which the database would keep samples.
ALTER TABLE orders ADD COLUMN network bytea NOT NULL DEFAULT '' CHECK (octet_length(network) IN (0, 16));
ALTER TABLE orders ALTER COLUMN network SET STATISTICS 0;
CREATE UNIQUE INDEX orders_unpaid ON orders (account_id, network, place)
  WHERE status = 'awaiting_deposit' AND final_hour IS NULL;

-- Unpaid orders end with their last authorisation, which for a swap is sooner than its deadline.
DROP INDEX orders_open;
CREATE INDEX orders_open ON orders (status, valid_until) WHERE final_hour IS NULL;

-- For how many more orders the relayers could pay, beside those that are paid for already.
ALTER TABLE health ADD COLUMN free_orders integer;
