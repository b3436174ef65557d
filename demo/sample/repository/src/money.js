// How amounts are written. See docs/spec.md, "Invoice".

/** 123456 becomes "1,234.56". */
export function formatMoney(cents) {
  const sign = cents < 0 ? '-' : '';
  const whole = String(Math.trunc(Math.abs(cents) / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
  const rest = String(Math.abs(cents) % 100).padStart(2, '0');
  return `${sign}${whole}.${rest}`;
}
