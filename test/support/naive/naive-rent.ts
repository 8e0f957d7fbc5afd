// ceil(300 × 1.15^days_held) in integers only (rules 3.2).

const BEYOND_64_BITS = 2n ** 63n;

/** The rent in cents, or null where it does not fit 64 bits. */
export function rentCents(daysHeld: number | bigint): bigint | null {
  let numerator = 300n;
  let denominator = 1n;
  for (let day = 0n; day < BigInt(daysHeld); day++) {
    numerator = numerator * 115n;
    denominator = denominator * 100n;
    // The price only grows, so a holder of a million days need not be multiplied out.
    if (numerator >= BEYOND_64_BITS * denominator) return null;
  }
  const floor = numerator / denominator;
  const cents = floor * denominator === numerator ? floor : floor + 1n;
  return cents < BEYOND_64_BITS ? cents : null;
}
