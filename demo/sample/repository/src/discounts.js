// What customers save. See docs/spec.md, "Discounts".

/** Cents off the price of that many copies of one title. */
export function quantityDiscount(copies, price) {
  return copies >= 5 ? Math.round(price * 0.1) : 0;
}

/** What is left to pay of the total. */
export function applyCoupon(total, coupon) {
  return Math.max(0, total - coupon);
}
