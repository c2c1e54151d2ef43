-- An order's id may come back: a day after its deadline its account on the chain can be closed, and with a
-- stolen authoriser's key a deposit of the same id lands again. Its leaf belongs to no order, but the tree
-- isn't the chain's without it. Within a slot an id still stands once.
ALTER TABLE leaves
  DROP CONSTRAINT leaves_order_id_key,
  ADD CONSTRAINT leaves_order_id_slot_key UNIQUE (order_id, slot);
