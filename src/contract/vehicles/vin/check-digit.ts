/** 49 CFR 565.15, based on ISO 3779: the value of each letter, A to Z without I, O and Q. */
const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ'
const LETTER_VALUES = '12345678123457923456789'
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/** The check digit calculated from the other 16 characters, `0` to `9` or `X`; empty if the VIN contains I, O or Q, which have no value. */
export function checkDigitOf(vin: string): string {
  if (/[IOQ]/.test(vin)) return ''
  const sum = Array.from(vin).reduce(
    (total, character, at) => total + valueOf(character) * (WEIGHTS[at] ?? 0),
    0,
  )
  return sum % 11 === 10 ? 'X' : String(sum % 11)
}

function valueOf(character: string): number {
  const place = LETTERS.indexOf(character)
  return Number(place < 0 ? character : LETTER_VALUES[place])
}

/**
 * Whether a VIN is that of a European maker's vehicle for another market than North America: it has no check digit and no model year.
 * In its tenth place it has a filler or the side of the steering wheel.
 */
export const isOfOtherMarket = (vin: string): boolean =>
  /^[S-Z].{8}[0-2]/.test(vin) && vin.charAt(8) !== checkDigitOf(vin)

/**
 * Whether the ninth character of a VIN contradicts the others. Only North America requires a check digit, so a letter there is
 * wrong only in VINs from there. VINs of vehicles that aren't built yet have a letter for a digit of the serial number and no
 * check digit.
 */
export function hasWrongCheckDigit(vin: string): boolean {
  if (vin.length !== WEIGHTS.length || /[A-Z]/.test(vin.charAt(13)) || isOfOtherMarket(vin)) return false
  const digit = vin.charAt(8)
  const hasOne = /[0-9X]/.test(digit) || /^[1-57]/.test(vin)
  return hasOne && digit !== checkDigitOf(vin)
}
