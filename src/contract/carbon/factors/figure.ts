import { Decimal } from 'decimal.js'

/** Forty digits: sums of a year lose nothing, and what is shown is rounded once, at the end. */
export const Figure = Decimal.clone({ precision: 40, toExpNeg: -40, toExpPos: 40 })
export type Figure = Decimal

/** A figure as it is stored and travels: plain digits, never an exponent. */
export function plain(figure: Figure): string {
  return figure.toFixed()
}

/** A figure as people read it: at most so many digits that count, thousands parted. */
export function showFigure(figure: string | Figure, digits = 6): string {
  const short = new Figure(figure).toSignificantDigits(digits).toFixed()
  const [whole = '', places] = short.split('.')
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return places === undefined ? parted : `${parted}.${places}`
}
