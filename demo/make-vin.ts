const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ'
/** 49 CFR 565: what a letter counts, A to Z without I, O and Q. */
const LETTER_VALUES = '12345678123457923456789'
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
/** Model years go round every thirty years; 2010 is A. */
const YEARS = 'ABCDEFGHJKLMNPRSTVWXY123456789'

/** A VIN of nobody's vehicle, with the check digit that its other sixteen characters ask for. */
export function makeVin(start: string, { year, serial }: { year: number; serial: number }): string {
  const end = `${YEARS[(year - 1980) % 30]}D${String(serial % 1_000_000).padStart(6, '0')}`
  return `${start}${checkDigit(`${start}0${end}`)}${end}`
}

/** The ninth character, from the other sixteen. */
export function checkDigit(vin: string): string {
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
