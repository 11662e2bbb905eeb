import { Decimal } from 'decimal.js'

/** Forty digits, so that annual sums are exact. Rounding happens once, for display. */
export const Figure = Decimal.clone({ precision: 40, toExpNeg: -40, toExpPos: 40 })
export type Figure = Decimal

/** A number as it is stored and sent: plain digits, never an exponent. */
export function plain(figure: Figure): string {
  return figure.toFixed()
}

/** A number for display: rounded to significant digits, with thousands separators. */
export function showFigure(figure: string | Figure, digits = 6): string {
  const short = new Figure(figure).toSignificantDigits(digits).toFixed()
  const [whole = '', places] = short.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return places === undefined ? grouped : `${grouped}.${places}`
}
