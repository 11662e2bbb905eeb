const LENGTH = 17
/** ISO 3779 excludes these letters because they look like 1 and 0. */
const CORRECTIONS: Readonly<Record<string, string>> = { I: '1', O: '0', Q: '0' }

/** Toyota masks the fourth-to-last character of vehicles that aren't built yet with any letter. */
const MASKED = /^[^IOQ]{13}[IOQ]\d{3}$/

export type ReadVin = { vin: string; refusal: string | null; suggestion: string | null }

/** Normalizes a VIN (upper case, no spaces or dashes) and checks its format. */
export function readVin(written: string): ReadVin {
  const vin = written.toUpperCase().replace(/[\s\u00a0-]+/g, '')
  const refuse = (refusal: string, suggestion: string | null = null) => ({ vin, refusal, suggestion })
  if (vin.length !== LENGTH) return refuse(`A VIN has ${LENGTH} characters. This one has ${vin.length}.`)
  const strange = Array.from(vin).find((character) => !/[A-Z0-9]/.test(character))
  if (strange !== undefined) return refuse(`A VIN has only letters and digits. Remove “${strange}”.`)
  const letters = [...new Set(vin.match(/[IOQ]/g) ?? [])]
  if (letters.length === 0) return { vin, refusal: null, suggestion: null }
  const suggestion = vin.replace(/[IOQ]/g, (letter) => CORRECTIONS[letter] ?? letter)
  if (MASKED.test(vin)) return { vin, refusal: null, suggestion }
  return refuse(`A VIN can't contain the letter ${letters.join(' or ')}.`, suggestion)
}
