-- The key in front of the account, as the quote's nonce stands alone: a connection that plans while the
-- table is new then finds an order by its key through no index but this one, however large it grows.
ALTER TABLE orders
  DROP CONSTRAINT orders_account_id_idempotency_key_key,
  ADD CONSTRAINT orders_idempotency_key_account_id_key UNIQUE (idempotency_key, account_id);
