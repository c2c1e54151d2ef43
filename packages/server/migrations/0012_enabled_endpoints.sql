-- Works beside: 0011
--
-- How often an endpoint was enabled. If an endpoint answers 410, the worker disables it only at the next full hour.
-- This number shows the worker whether the partner has enabled the endpoint in the meantime. Only a partner's request
-- changes the number; a message never does.
ALTER TABLE webhooks ADD COLUMN times_enabled integer NOT NULL DEFAULT 0 CHECK (times_enabled >= 0);
