const LENGTH = 17
/** Taken for 1 and 0 too easily; ISO 3779 leaves them out. */
const MEANT: Readonly<Record<string, string>> = { I: '1', O: '0', Q: '0' }

/** The serial number of a vehicle that is not built yet: Toyota hides its fourth-last place behind any letter. */
const MASKED = /^[^IOQ]{13}[IOQ]\d{3}$/

export type ReadVin = { vin: string; refusal: string | null; suggestion: string | null }

/** A VIN as somebody wrote it, brought into form: capitals, no spaces, no dashes; and whether it can be one. */
export function readVin(written: string): ReadVin {
  const vin = written.toUpperCase().replace(/[\s\u00a0-]+/g, '')
  const refuse = (refusal: string, suggestion: string | null = null) => ({ vin, refusal, suggestion })
  if (vin.length !== LENGTH) return refuse(`A VIN has ${LENGTH} characters; this has ${vin.length}.`)
  const strange = Array.from(vin).find((character) => !/[A-Z0-9]/.test(character))
  if (strange !== undefined) return refuse(`A VIN has letters and digits only; this has “${strange}”.`)
  const letters = [...new Set(vin.match(/[IOQ]/g) ?? [])]
  if (letters.length === 0) return { vin, refusal: null, suggestion: null }
  const suggestion = vin.replace(/[IOQ]/g, (letter) => MEANT[letter] ?? letter)
  if (MASKED.test(vin)) return { vin, refusal: null, suggestion }
  return refuse(`No VIN has the letter ${letters.join(' or ')}.`, suggestion)
}
