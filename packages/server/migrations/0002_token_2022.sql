-- Mints of Token-2022, whose token accounts are derived and moved by another program.
ALTER TABLE assets DROP CONSTRAINT assets_kind_check;
ALTER TABLE assets ADD CONSTRAINT assets_kind_check
  CHECK (kind IN ('native', 'token', 'token2022'));
