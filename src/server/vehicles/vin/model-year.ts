/** 49 CFR 565.15: the tenth character repeats every 30 years; 1980 and 2010 are A. */
const YEAR_CHARACTERS = 'ABCDEFGHJKLMNPRSTVWXY123456789'
const FIRST = 1980
const CYCLE = 30
/** Next year's models go on sale this year. */
const AHEAD = 1
/** vPIC vehicle type IDs. */
const TRUCK = 3
const LIGHT = new Set([2, 7])
/** Above 10,000 pounds. */
const HEAVY = /^Class [3-8]/

/**
 * The possible model years of a VIN, most likely first; empty if the tenth character isn't a year. Since 2010 the seventh
 * character of a car or light truck is a letter; before that, it was a digit (49 CFR 565.15(b)).
 */
export function modelYears(vin: string, thisYear: number): number[] {
  const place = YEAR_CHARACTERS.indexOf(vin.charAt(9))
  const early = FIRST + place
  const late = early + CYCLE
  if (place < 0) return []
  if (late > thisYear + AHEAD) return [early]
  return /\d/.test(vin.charAt(6)) ? [early, late] : [late, early]
}

/**
 * Sorts the possible years of a VIN by likelihood. For cars and light trucks the seventh character decides (`isRuled`);
 * for others it has no meaning, and the later year comes first. `classOf`: the weight class in a year.
 */
export function rankYears(
  years: readonly number[],
  kind: number,
  classOf: (year: number) => string,
): { order: readonly number[]; isRuled: boolean } {
  const latestFirst = years.toSorted((one, other) => other - one)
  const [latest] = latestFirst
  const isLightTruck = kind === TRUCK && latest !== undefined && !HEAVY.test(classOf(latest))
  const isRuled = LIGHT.has(kind) || isLightTruck
  return { order: isRuled ? years : latestFirst, isRuled }
}

/** The VIN character for a model year. */
export const yearCharacter = (year: number): string => YEAR_CHARACTERS.charAt((year - FIRST) % CYCLE)
