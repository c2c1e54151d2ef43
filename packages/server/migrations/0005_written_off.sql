-- Orders that a rebuild found on chain and could not open: their keys are gone, and with them whatever could
-- be done about their notes. Written only when an operator says so; their leaves then no longer keep
-- other keys from being destroyed.
CREATE TABLE written_off (
  order_id bytea PRIMARY KEY CHECK (octet_length(order_id) = 16)
);
