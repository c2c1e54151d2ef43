/**
 * SQL for an order's newest plan. If the plan was replaced under the order's present key, the newest plan is in
 * `settlements`. Otherwise it is in the order's own row. That plan was drawn at the deposit, or was sealed again under
 * the present key.
 *
 * @param replaced SQL for the plan in `settlements`.
 * @param orderId SQL for the order's id in hex.
 */
export const newestPlan = (replaced: string, orderId: string): string =>
  `COALESCE(${replaced}, (SELECT orders.sealed_plan FROM orders WHERE orders.id = decode(${orderId}, 'hex')))`
