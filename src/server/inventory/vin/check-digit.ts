/** 49 CFR 565.15, after ISO 3779: what a letter counts, A to Z without I, O and Q. */
const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ'
const LETTER_VALUES = '12345678123457923456789'
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/** The ninth character that the other sixteen ask for, `0` to `9` or `X`; empty where a letter among them counts nothing. */
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
