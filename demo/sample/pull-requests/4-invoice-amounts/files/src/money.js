// How amounts are written. See docs/spec.md, "Invoice".

/** 123456 becomes "1,234.56". */
export function formatMoney(cents) {
  const whole = Math.floor(cents / 100);
  const rest = Math.abs(cents % 100);
  const groups = [];
  let left = whole;
  while (left >= 1000) {
    groups.unshift(String(left % 1000).padStart(3, '0'));
    left = Math.floor(left / 1000);
  }
  return `${[left, ...groups].join(',')}.${String(rest).padStart(2, '0')}`;
}
