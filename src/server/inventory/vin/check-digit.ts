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
