-- Leaves of deposits that a rebuild found on chain and that belong to no order of this database: no key opens them, or
-- their order has another deposit. Written only on an operator's command; they then no longer keep keys from being
-- destroyed. Leaves and not orders, because an order's id can be deposited again once its Order is closed.
DROP TABLE written_off;
CREATE TABLE written_off (
  leaf bytea PRIMARY KEY CHECK (octet_length(leaf) = 32)
);

-- Epochs whose orders were all known after the last of them could be deposited: leaves that no order explains and that
-- come later belong to none of theirs, and don't keep their keys. Only epochs whose keys still exist.
CREATE TABLE complete_epochs (
  epoch bigint PRIMARY KEY
);
