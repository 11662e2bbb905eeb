/** "−$500.00", "+$85.00", or "None". */
export function signedAmount(cents: number, money: (cents: number) => string): string {
  if (cents === 0) return 'None'
  return cents < 0 ? `−${money(-cents)}` : `+${money(cents)}`
}
