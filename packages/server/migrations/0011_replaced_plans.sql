-- No version before this one may run beside it. An older worker doesn't read the plans in this table: it would take a
-- spent note for the newest note of a balance.
--
-- Each plan that replaces an order's plan is a row of its own, and no row of this table ever changes. Formerly the
-- completion of a payment changed the row of its balance in `settlements`. So copies of the database showed which
-- payments were made out of the same balance. The name is HMAC(K, order id and the plan's number), so the names of one
-- order's plans can't be linked without the key. The hour is that of the chain's clock, and not before the hour of K.
-- So all rows of an hour are deleted once the keys of this hour and of all older hours are destroyed.
CREATE TABLE plans (
  name   bytea PRIMARY KEY CHECK (octet_length(name) = 32),
  sealed bytea NOT NULL,
  hour   timestamptz NOT NULL
);
CREATE INDEX plans_hour ON plans (hour);
ALTER TABLE plans
  ALTER COLUMN name SET STATISTICS 0,
  ALTER COLUMN sealed SET STATISTICS 0;
