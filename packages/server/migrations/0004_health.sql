-- What workers find out about the service itself, for the processes that take orders. One row. The times
-- are those of a look at the chain, not of anybody's transfer.
CREATE TABLE health (
  only_row      boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Whether the relayers can pay for what is open and what may still come; NULL before the first look.
  is_liquid     boolean,
  liquid_at     timestamptz,
  -- Whether chain and database agreed in the newest comparison; NULL before the first.
  books_agree   boolean,
  books_at      timestamptz
);
INSERT INTO health (only_row) VALUES (true);
