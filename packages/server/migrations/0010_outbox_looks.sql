-- Every change has a row while the service has any enabled endpoint at all, and every row is looked at the
-- same number of times after the same pauses, whether somebody is told, was told, or doesn't answer: what
-- can be seen of a row says nothing of its order's account. A look moves `due_at` to the next one when it
-- begins, so that there is nothing to lease, and seals the row anew a fixed time later.
ALTER TABLE outbox DROP COLUMN lease_until;
ALTER TABLE outbox DROP COLUMN fence;
-- The looks so far. Who writes what came of a look names it, and fails where there was another since.
ALTER TABLE outbox ADD COLUMN looks smallint NOT NULL DEFAULT 0;

-- When an endpoint said that it is gone was the time of a message to it: only its hour stays.
UPDATE webhooks SET disabled_at = date_trunc('hour', disabled_at, 'UTC');
ALTER TABLE webhooks ADD CHECK (disabled_at = date_trunc('hour', disabled_at, 'UTC'));
