-- Works beside: 0003
--
-- Until the last process of the version before is gone, its lists of orders fail for accounts that have made a payment.
--
-- Payments out of balances. A payment's row stands in `orders`, so that one quote or idempotency key makes one order of
-- any kind, and one limit counts them. It has no deposit: the columns that describe one are NULL. The note that pays,
-- the payee, the amounts and the owner's signature are sealed in `sealed_terms`; in the clear are the account, the times
-- of the requests, and the payment's end, which lies on the time grid. `delivering` is a signed payment until its epoch
-- is cleared, as `deposited` is an order; its settlement's side looks like that of a transfer.

ALTER TABLE orders
  ALTER COLUMN source_mint DROP NOT NULL,
  ALTER COLUMN destination_mint DROP NOT NULL,
  ALTER COLUMN amount_in DROP NOT NULL,
  ALTER COLUMN partner_fee DROP NOT NULL,
  ALTER COLUMN value DROP NOT NULL,
  ALTER COLUMN amount_out DROP NOT NULL,
  ALTER COLUMN sender DROP NOT NULL,
  ALTER COLUMN deadline DROP NOT NULL,
  ALTER COLUMN expiry DROP NOT NULL,
  ALTER COLUMN inner_commitment DROP NOT NULL,
  ALTER COLUMN leaf DROP NOT NULL,
  ALTER COLUMN payload DROP NOT NULL,
  ALTER COLUMN last_valid_block_height DROP NOT NULL,
  DROP CONSTRAINT orders_status_check,
  ADD CONSTRAINT orders_status_check CHECK (status IN ('awaiting_deposit', 'awaiting_signature', 'deposited',
    'delivering', 'expired', 'delivered', 'refunded')),
  -- A deposit is described in full or not at all.
  ADD CONSTRAINT orders_deposit_check CHECK (num_nulls(source_mint, destination_mint, amount_in, partner_fee, value,
    amount_out, sender, deadline, expiry, inner_commitment, leaf, payload, last_valid_block_height) IN (0, 13)),
  ADD CONSTRAINT orders_payment_check CHECK (CASE WHEN leaf IS NULL
    THEN status IN ('awaiting_signature', 'delivering', 'expired', 'delivered')
      AND num_nonnulls(seal_epoch, partner_account, deposit_seen_at, leaf_index, deposit_at, deposit_signature,
        deposit_slot) = 0
    ELSE status NOT IN ('awaiting_signature', 'delivering') END);

-- A payment that isn't signed costs a place too.
DROP INDEX orders_unpaid;
CREATE UNIQUE INDEX orders_unpaid ON orders (account_id, network, place)
  WHERE status IN ('awaiting_deposit', 'awaiting_signature') AND final_hour IS NULL;

-- `expired`: a signed payment that can't land any more.
ALTER TABLE settlements
  DROP CONSTRAINT settlements_status_check,
  ADD CONSTRAINT settlements_status_check CHECK (status IN ('deposited', 'delivering', 'delivered', 'refunding',
    'refunded', 'expired', 'moved'));

-- One note, one live payment. A name is the HMAC of the note's nullifier under an epoch's key; a payment has one for
-- its own hour and one for the hour before, so that payments of neighbouring hours compete. No order and no account is
-- named. A name is free again once the finalized clock is past the payment's end, when the payment can't land any more.
CREATE TABLE reserved_notes (
  name        bytea PRIMARY KEY CHECK (octet_length(name) = 32),
  valid_until bigint NOT NULL
);
ALTER TABLE reserved_notes ALTER COLUMN name SET STATISTICS 0;
