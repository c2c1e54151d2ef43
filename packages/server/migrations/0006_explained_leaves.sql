-- Works beside: 0005
--
-- The first leaves of the tree, as far as each of them is explained, and how many of them are of settlements that owners
-- of balances made without the service. Such a settlement is public; nothing here says whose it was. If the tree is
-- read again from an earlier leaf, the records of more leaves go, and the one before them counts.
CREATE TABLE explained_leaves (
  next_leaf     bigint PRIMARY KEY CHECK (next_leaf >= 0),
  slot          bigint NOT NULL,
  owner_changes bigint NOT NULL CHECK (owner_changes >= 0)
);

-- A balance whose newest note its owner has spent has a settlement, so that it doesn't count as an order without one.
ALTER TABLE kept_by_owners
  DROP CONSTRAINT kept_by_owners_orders_check,
  ADD CONSTRAINT kept_by_owners_orders_check CHECK (orders >= 0);
