-- Works beside: 0008
--
-- The price that all transactions of the service offer for priority. It is one row, so that every process offers the same
-- price and no transaction can be recognised by it.
CREATE TABLE unit_price (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Hours since 1970: the hour in which recent prices were last read.
  hour     bigint NOT NULL,
  -- An index of the list of prices in packages/protocol/src/program/unit-prices.ts.
  step     smallint NOT NULL CHECK (step >= 0)
);
