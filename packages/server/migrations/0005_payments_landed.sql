-- Works beside: 0004
--
-- How many payments out of balances have landed. Each appended a leaf that belongs to no order's deposit or settlement;
-- without this count those leaves would look like deposits of lost orders.
ALTER TABLE health ADD COLUMN payments_landed bigint NOT NULL DEFAULT 0 CHECK (payments_landed >= 0);
