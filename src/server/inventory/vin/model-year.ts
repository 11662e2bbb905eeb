/** 49 CFR 565.15: the tenth character goes round every thirty years; 1980 and 2010 are A. */
const YEAR_CHARACTERS = 'ABCDEFGHJKLMNPRSTVWXY123456789'
const FIRST = 1980
const ROUND = 30
/** Models of the next year are on sale in this one. */
const AHEAD = 1
/** Kinds as vPIC numbers them. */
const TRUCK = 3
const LIGHT = new Set([2, 7])
/** Above 10,000 pounds. */
const HEAVY = /^Class [3-8]/

/**
 * The model years that a VIN can mean, the likeliest first; none when its tenth character is no year. From 2010 on the
 * seventh character of a car or light truck is a letter, before it was a digit (49 CFR 565.15(b)).
 */
export function modelYears(vin: string, thisYear: number): number[] {
  const place = YEAR_CHARACTERS.indexOf(vin.charAt(9))
  const early = FIRST + place
  const late = early + ROUND
  if (place < 0) return []
  if (late > thisYear + AHEAD) return [early]
  return /\d/.test(vin.charAt(6)) ? [early, late] : [late, early]
}

/**
 * The years of a VIN in the order in which they are believed. Of cars and light trucks the seventh character decides
 * (`isRuled`); of others it is free, and the later year comes first. `classOf`: the weight class in a year.
 */
export function believedYears(
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

/** The character for a model year. */
export const yearCharacter = (year: number): string => YEAR_CHARACTERS.charAt((year - FIRST) % ROUND)
