-- Works beside: 0010

-- ANALYZE copies values of each column into pg_statistic, where they outlive their rows and the clearing of their
-- epoch. No column whose values an epoch's key or the pepper makes has statistics from here on. All are unique, or
-- no statement filters by them, so no plan needs them. With a target of 0 ANALYZE leaves former statistics where
-- they are; a change to the type that a column already has removes them, and rewrites nothing.
ALTER TABLE api_keys ALTER COLUMN secret_hmac TYPE bytea;
ALTER TABLE api_keys ALTER COLUMN secret_hmac SET STATISTICS 0;

ALTER TABLE orders
  ALTER COLUMN fingerprint TYPE bytea,
  ALTER COLUMN payload TYPE bytea,
  ALTER COLUMN sealed_terms TYPE bytea,
  ALTER COLUMN sealed_response TYPE bytea,
  ALTER COLUMN sealed_plan TYPE bytea;
ALTER TABLE orders
  ALTER COLUMN fingerprint SET STATISTICS 0,
  ALTER COLUMN payload SET STATISTICS 0,
  ALTER COLUMN sealed_terms SET STATISTICS 0,
  ALTER COLUMN sealed_response SET STATISTICS 0,
  ALTER COLUMN sealed_plan SET STATISTICS 0;

ALTER TABLE settlements
  ALTER COLUMN pseudonym TYPE bytea,
  ALTER COLUMN sealed_plan TYPE bytea,
  ALTER COLUMN sealed_outcome TYPE bytea;
ALTER TABLE settlements
  ALTER COLUMN pseudonym SET STATISTICS 0,
  ALTER COLUMN sealed_plan SET STATISTICS 0,
  ALTER COLUMN sealed_outcome SET STATISTICS 0;

ALTER TABLE attempts
  ALTER COLUMN pseudonym TYPE bytea,
  ALTER COLUMN sealed TYPE bytea;
ALTER TABLE attempts
  ALTER COLUMN pseudonym SET STATISTICS 0,
  ALTER COLUMN sealed SET STATISTICS 0;

ALTER TABLE outbox
  ALTER COLUMN name TYPE bytea,
  ALTER COLUMN sealed TYPE bytea;
ALTER TABLE outbox
  ALTER COLUMN name SET STATISTICS 0,
  ALTER COLUMN sealed SET STATISTICS 0;
