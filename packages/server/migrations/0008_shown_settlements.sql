-- Works beside: 0007
--
-- Amounts and times of the latest settlements, as the chain shows them, of transfers and payments alike. Quotes state by
-- them which deposits an observer may still take for undelivered. No row says which order or deposit it belongs to, and
-- rows are written in the order in which settlements were seen on the chain.
CREATE TABLE shown_settlements (
  mint       text NOT NULL,
  gross      numeric(20,0) NOT NULL CHECK (gross > 0),
  settled_at bigint NOT NULL
);
CREATE INDEX shown_settlements_time ON shown_settlements (settled_at);
