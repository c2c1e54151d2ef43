-- The deposit's side and the delivery's side of an order stand apart from here on. `orders` and `leaves`
-- hold what the deposit shows on chain anyway and are written no more once the deposit is recorded, until
-- the epoch's key is to die. What happens to the order afterwards stands in `settlements` and `attempts`,
-- under a pseudonym: an HMAC of the order's id under its epoch's key. No statement writes both sides, no
-- foreign key joins them (checking one marks the row that it points to), and neither side names the
-- other's epoch, asset, amount or time. So neither the order of rows, nor their versions, nor a dump from
-- any moment joins the sides without the key.

-- What is open can't be carried over here: its pseudonyms need the keys.
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM orders WHERE status NOT IN ('delivered', 'refunded', 'expired')) THEN
    RAISE EXCEPTION 'orders are open: let the former version finish them, then upgrade';
  END IF;
END $$;

DROP TABLE attempts;

ALTER TABLE orders
  DROP COLUMN sealed_outcome,
  DROP COLUMN lease_owner,
  DROP COLUMN lease_until,
  DROP COLUMN lease_fence,
  -- The epoch whose key seals an order that outlived its own; NULL while it is `epoch`.
  ADD COLUMN seal_epoch bigint,
  DROP CONSTRAINT orders_status_check,
  -- `deposited` until the epoch is cleared, whatever has become of the order since.
  ADD CONSTRAINT orders_status_check CHECK (status IN ('awaiting_deposit', 'deposited', 'expired',
    'delivered', 'refunded'));
CREATE INDEX orders_deposited ON orders (id) WHERE status = 'deposited';
CREATE INDEX orders_by_seal_epoch ON orders (seal_epoch) WHERE seal_epoch IS NOT NULL;

-- One row for each order that a worker has begun to settle, made only then.
CREATE TABLE settlements (
  pseudonym      bytea PRIMARY KEY CHECK (octet_length(pseudonym) = 32),
  -- `moved`: the order was sealed anew and goes on under another pseudonym.
  status         text NOT NULL CHECK (status IN ('deposited', 'delivering', 'delivered', 'refunding',
                   'refunded', 'moved')),
  -- In place of the plan that the order was deposited with, where it changed since.
  sealed_plan    bytea,
  sealed_outcome bytea,
  -- A lease, not a lock: whoever holds the newest fence may write.
  lease_owner    text,
  lease_until    timestamptz,
  lease_fence    bigint NOT NULL DEFAULT 0,
  -- The hour in which the settlement became final, as everybody can see on the chain.
  final_hour     timestamptz
);
CREATE INDEX settlements_final ON settlements (final_hour) WHERE final_hour IS NOT NULL;

-- The journal: what was signed, written before it is broadcast.
CREATE TABLE attempts (
  pseudonym bytea NOT NULL REFERENCES settlements (pseudonym) ON DELETE CASCADE,
  number    integer NOT NULL,
  kind      text NOT NULL CHECK (kind IN ('deliver', 'refund')),
  state     text NOT NULL CHECK (state IN ('live', 'landed', 'dead')),
  sealed    bytea NOT NULL,
  PRIMARY KEY (pseudonym, number)
);
-- At most one attempt of an order can be live.
CREATE UNIQUE INDEX attempts_live ON attempts (pseudonym) WHERE state = 'live';
