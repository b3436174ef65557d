// What customers save. See docs/spec.md, "Discounts".

/** Highest step first: so many copies or more earn so many percent. */
const STEPS = [
  { copies: 20, percent: 15 },
  { copies: 5, percent: 10 },
];

/** Cents off the price of that many copies of one title. */
export function quantityDiscount(copies, price) {
  const step = STEPS.find((one) => copies >= one.copies);
  return step ? Math.round((price * step.percent) / 100) : 0;
}

/** What is left to pay of the total. */
export function applyCoupon(total, coupon) {
  return Math.max(0, total - coupon);
}
